import { linkTo, linkToPlace } from "../../../src/http/dashboard/route.ts";
import { note } from "./page-parts.ts";
import { memoriesRoot } from "./served-dashboard.ts";

const login = note("auth/login.md");

/** Each screen of the example memory: its name, its address, and what shows that it is there with its data. */
export const allScreens: readonly (readonly [string, string, string])[] = [
  ["overview", linkTo("overview"), ".plot svg"],
  ["roots", linkTo("browse"), ".cards a"],
  ["folder", linkTo("browse", [memoriesRoot]), ".list-row"],
  ["note", linkToPlace("read", login), ".prose table"],
  ["source", linkToPlace("read", login, { view: "source" }), "ol.source"],
  ["editor", linkToPlace("edit", login), "textarea"],
  ["new note", linkTo("new"), "textarea"],
  ["search", linkTo("search", [], { q: "codes" }), "mark"],
  ["all history", linkTo("history"), ".revisions"],
  ["history of a note", linkToPlace("history", login), ".diff"],
  ["topics", linkTo("topics"), ".entry .prose"],
  ["archive", linkTo("topics", [], { archive: "1" }), ".entry .prose"],
  ["conflicts", linkTo("conflicts"), ".rows a"],
  ["a conflict", linkToPlace("conflicts", note("build.conflict-1a2b3c4d.md")), ".diff"],
  ["guard", linkTo("guard"), ".changes"],
  ["agents and tokens", linkTo("agents"), ".token"],
  ["something missing", linkTo("read", [memoriesRoot, "no.md"]), "[role=alert] strong"],
  ["a reference to nothing", linkTo("mem", ["no"]), ".empty"],
];
