import { openByPath } from "../../src/backends/files/directory.ts";
import { filesFixture } from "./files-fixture.ts";
import { describeStoreContract } from "./store-contract.ts";
import { describeStoreModel } from "./store-model.ts";

describeStoreContract("a store of files", filesFixture());
describeStoreContract("a store of files that syncs on the thread pool", filesFixture({ blockingSync: false }));
describeStoreContract("a store of files on a system without /proc", filesFixture({ openDirectory: openByPath }));
describeStoreModel("a store of files", filesFixture());
