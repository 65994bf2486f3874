import { describe, expect, it } from "vitest";
import { isCommittedAlone, isLost } from "../../../src/backends/postgres/database-error.ts";

const withCode = (code: string) => Object.assign(new Error("it failed"), { code });

describe("PG-2 a connection that is lost", () => {
  it.each([
    "ECONNRESET",
    "EPIPE",
    "ETIMEDOUT",
    "EAI_AGAIN",
    "ERR_STREAM_DESTROYED",
    "ERR_STREAM_WRITE_AFTER_END",
    "ERR_STREAM_PREMATURE_CLOSE",
    "ERR_SOCKET_CLOSED",
    "ERR_TLS_HANDSHAKE_TIMEOUT",
    "ERR_SSL_SSLV3_ALERT_BAD_RECORD_MAC",
  ])("is told by %s", (code) => {
    expect(isLost(withCode(code))).toBe(true);
  });

  it.each([
    "ERR_INVALID_ARG_TYPE",
    "ERR_OUT_OF_RANGE",
    "ERR_STREAM_NULL_VALUES",
    "ERR_SOCKET_BAD_PORT",
    "ERR_ASSERTION",
  ])("is not told by a fault of the program: %s", (code) => {
    expect(isLost(withCode(code))).toBe(false);
  });
});

describe("KER-5 PG-2 a commit that did not wait for its standby to the end", () => {
  const [says, routine] = ["canceling wait for synchronous replication due to user request", "SyncRepWaitForLSN"];

  it.each([
    { code: "01000", message: says },
    { code: "01000", message: "Warten auf synchrone Replikation wird storniert", routine },
    { code: "57P01", message: "canceling the wait for synchronous replication and terminating connection", routine },
  ])("is told by $code $message", (notice) => {
    expect(isCommittedAlone(notice)).toBe(true);
  });

  it.each([
    { code: "25P01", message: "there is no transaction in progress", routine: "UserAbortTransactionBlock" },
    { code: "01000", message: "a warning of somebody's own", routine: "exec_stmt_raise" },
    { code: "00000", message: says, routine: "exec_stmt_raise" },
    undefined,
  ])("is not told by %o", (notice) => {
    expect(isCommittedAlone(notice)).toBe(false);
  });
});
