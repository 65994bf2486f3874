import { openByPath } from "../../src/backends/files/directory.ts";
import { describeBackendContract } from "./backend-contract.ts";
import { filesBackendFixture, filesFixture } from "./files-fixture.ts";
import { describeStoreContract } from "./store-contract.ts";

describeBackendContract("a backend of files", filesBackendFixture);
describeStoreContract("a store of files that syncs on the thread pool", filesFixture({ blockingSync: false }));
describeStoreContract("a store of files on a system without /proc", filesFixture({ openDirectory: openByPath }));
