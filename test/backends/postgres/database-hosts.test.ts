import { describe, expect, it } from "vitest";
import { databaseHostsOf, databaseNameOf } from "../../../src/backends/postgres/database-hosts.ts";

describe("PG-2 the address of a database", () => {
  it("names one host, and is left as it is", () => {
    const url = "postgres://me:p%40ss@db.example.org:5433/memory?sslmode=require";
    expect(databaseHostsOf(url)).toEqual({ urls: [url], mustWrite: false });
    expect(databaseNameOf(url)).toBe("db.example.org:5433/memory");
  });

  it("may name several, of which only one that takes writes will do", () => {
    const url = "postgres://me:pw@one:1,two:2/memory?target_session_attrs=read-write&sslmode=require";
    expect(databaseHostsOf(url)).toEqual({
      urls: ["postgres://me:pw@one:1/memory?sslmode=require", "postgres://me:pw@two:2/memory?sslmode=require"],
      mustWrite: true,
    });
    expect(databaseNameOf(url)).toBe("one:1,two:2/memory");
  });
});
