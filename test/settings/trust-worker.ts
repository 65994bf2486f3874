import { openTrust } from "../../src/settings/trust.ts";

const [folder = "", ...files] = process.argv.slice(2);
const trust = openTrust({ folder });
for (const file of files) trust.trust(file, Buffer.from(file));
