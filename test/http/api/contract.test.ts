import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createApi } from "../../../src/http/api/api.ts";
import { statusOf } from "../../../src/http/api/api-failure.ts";
import { checkout } from "../../helpers/checkout.ts";
import { apiWorlds } from "./open-api.ts";

const open = apiWorlds();
const page = readFileSync(join(checkout, "docs/API.md"), "utf8");
const contractFolder = join(checkout, "src/http/api/contract");
const contract = readdirSync(contractFolder)
  .map((name) => readFileSync(join(contractFolder, name), "utf8"))
  .join("\n");

interface Route {
  readonly method: string;
  readonly path: string;
  readonly parameters: readonly string[];
  readonly types: readonly string[];
}

function routesOf(text: string, pattern: RegExp): Route[] {
  return [...text.matchAll(pattern)].map(([, method = "", asked = "", rest = ""]) => {
    const [path = "", query = ""] = asked.split("?");
    const parameters = [...query.matchAll(/([a-zA-Z]+)=/g)].map(([, name = ""]) => name);
    return { method, path, parameters, types: [...rest.matchAll(/`(Api\w+)`/g)].map(([, name = ""]) => name) };
  });
}

const documented = routesOf(page, /^\| ([A-Z]+) \| `([^`]+)` \|(.*)\|$/gm);
const inContract = routesOf(contract, /\b(GET|PUT|POST|DELETE) (\/[\w/]+(?:\?[\w=&|]*)?)/g);
const key = ({ method, path }: Pick<Route, "method" | "path">) => `${method} ${path}`;

describe("WEB-3 the JSON API, its contract and its page", () => {
  it("WEB-3 every route that is served is on the page and in the contract, and none beside them", async () => {
    const world = await open();
    const api = createApi({ version: "1", workspace: world.workspace });
    const served = api.routes.filter(({ method }) => method !== "ALL").map(key);
    expect(documented.map(key).sort()).toEqual(served.sort());
    expect([...new Set(inContract.map(key))].sort()).toEqual(served.sort());
  });

  it("WEB-3 the page names the parameters that the contract names", () => {
    for (const { parameters, ...route } of inContract) {
      const onPage = documented.find((one) => key(one) === key(route));
      expect([...parameters].sort(), key(route)).toEqual([...(onPage?.parameters ?? [])].sort());
    }
  });

  it("WEB-3 every parameter on the page is taken, and another one is not", async () => {
    const world = await open();
    for (const { method, path, parameters } of documented.filter(
      (one) => one.method === "GET" && one.path !== "/events",
    )) {
      const query = new URLSearchParams(parameters.map((name): [string, string] => [name, "1"]));
      const { text } = await world.send(method, `${path}?${query}`);
      expect(text, path).not.toContain("There is no parameter");
      expect((await world.send(method, `${path}?${query}&another=1`)).text, path).toContain("There is no parameter");
    }
  });

  it("WEB-3 every type on the page is in the contract", () => {
    for (const type of documented.flatMap(({ types }) => types)) {
      expect(contract).toMatch(new RegExp(`export (interface|type) ${type}\\b`));
    }
  });

  it("KER-9 every code of an error has its status on the page", () => {
    const onPage = [...page.matchAll(/^\| (\d{3}) \| ([`A-Z_0-9 ]+) \|/gm)].flatMap(([, status, codes = ""]) =>
      [...codes.matchAll(/`([A-Z_0-9]+)`/g)].map(([, code]) => [code, Number(status)]),
    );
    expect(Object.fromEntries(onPage)).toEqual(statusOf);
  });
});
