import { addressOf, openDocuments, stamp } from "../open-documents.ts";
import { serveRequests } from "./worker.ts";

const [folder = "", document = ""] = process.argv.slice(2);
const { documents } = openDocuments(folder);

/** Answers with the moment of the acknowledgement, on the clock that all processes of the machine share. */
serveRequests(async () => {
  await documents.append(addressOf(document), "- I had to wait\n", stamp);
  return String(process.hrtime.bigint());
});
