import { expect, it } from "vitest";
import * as recollect from "../src/index.ts";

it("LIB-1 the public surface is what it is meant to be", () => {
  expect(Object.keys(recollect).sort()).toEqual([
    "AgentMemoryError",
    "AgentMemoryFileNotFoundError",
    "AgentMemoryService",
    "AgentNotFoundError",
    "FileOperationError",
    "InvalidPathError",
    "RecollectError",
    "comparePaths",
    "createAgentMemory",
    "createDocuments",
    "createStderrLog",
    "defaultDataFolder",
    "defaultLimits",
    "errorCodes",
    "fullAccess",
    "isRecollectError",
    "isRev",
    "logLevels",
    "openFilesStore",
    "operations",
    "parseAgentId",
    "parseDocumentPath",
    "parseExistingPath",
    "parseExpectation",
    "readOnly",
    "revisionOf",
  ]);
});
