import { describe, expect, test } from "vitest";
import type { IndexedDocument } from "../../../src/search/index/index-change.ts";
import { openMemoryIndex } from "../../../src/search/index/open-index.ts";
import { documentOf, engineOf as engineOfIndexes, plainIdf } from "./index-fixture.ts";

/** All in the tail, or all in a chunk. */
describe.each([64, 0])("with a tail of at most %i documents,", (mostInTail) => {
  function engineOf(...roots: readonly (readonly IndexedDocument[])[]) {
    const indexes = roots.map((put) => {
      const index = openMemoryIndex({ mostInTail });
      index.apply({ put, remove: [] });
      return index;
    });
    return engineOfIndexes(...indexes);
  }

  function asked(text: string) {
    return text.split(" ").map((term) => ({ term, weight: 1, word: term }));
  }

  const placesOf = (hits: readonly { path: string; ordinal: number }[]) =>
    hits.map((hit) => `${hit.path}#${hit.ordinal}`);

  describe("a query", () => {
    const notes = [
      documentOf("a.md", ["kafka lag", "deploy kafka kafka"]),
      documentOf("b.md", ["deploy notes", ""], { kind: "topic" }),
      documentOf("auth/c.md", ["login deploy"], { modified: Date.UTC(2023, 4, 5, 12), flagged: true }),
    ];

    test("SRCH-2 scores each unit by weight, rarity and impact, as its explanation says", () => {
      const { hits, total } = engineOf(notes).match(
        { terms: [{ term: "kafka", weight: 2, word: "Kafka" }, ...asked("deploy")], explain: true },
        10,
      );
      expect(placesOf(hits)).toEqual(["a.md#1", "a.md#0", "auth/c.md#0", "b.md#0"]);
      expect(total).toBe(4);
      const kafka = (2 * plainIdf(2, 5) * 20) / 255;
      const deploy = (plainIdf(3, 5) * 10) / 255;
      expect(hits[0]?.score).toBeCloseTo(kafka + deploy, 6);
      expect(hits[0]?.terms?.map(({ term, word }) => [term, word])).toEqual([
        ["kafka", "Kafka"],
        ["deploy", "deploy"],
      ]);
      expect(hits[0]?.terms?.[0]?.score).toBeCloseTo(kafka, 6);
      expect(hits[2]).toMatchObject({
        flagged: true,
        kind: "memory",
        modified: Date.UTC(2023, 4, 5, 12),
        date: undefined,
      });
    });

    test("SRCH-1 ranks several roots as one: a term's rarity is that of all of them", () => {
      const apart = engineOf([notes[0] as IndexedDocument], notes.slice(1)).match({ terms: asked("kafka deploy") }, 10);
      const together = engineOf(notes).match({ terms: asked("kafka deploy") }, 10);
      expect(apart.hits.map(({ index, path }) => [index, path])).toEqual([
        [0, "a.md"],
        [0, "a.md"],
        [1, "auth/c.md"],
        [1, "b.md"],
      ]);
      expect(apart.hits.map(({ score }) => score)).toEqual(together.hits.map(({ score }) => score));
    });

    test("SRCH-2 leaves out what is excluded, and asks for one of each required group", () => {
      const engine = engineOf(notes);
      expect(placesOf(engine.match({ terms: asked("deploy"), excluded: ["kafka"] }, 10).hits)).toEqual([
        "auth/c.md#0",
        "b.md#0",
      ]);
      const required = [["kafka", "login"], ["deploy"]];
      expect(placesOf(engine.match({ terms: asked("deploy"), required }, 10).hits)).toEqual(["a.md#1", "auth/c.md#0"]);
      expect(engine.match({ terms: asked("deploy"), required: [["unheard"]] }, 10).total).toBe(0);
    });

    test("SRCH-1 counts only what the filter lets through", () => {
      const engine = engineOf(notes);
      const accepts = ({ path, kind }: { path: string; kind: string }) => path.includes("/") || kind === "topic";
      expect(engine.match({ terms: asked("deploy"), filter: { accepts } }, 1)).toMatchObject({
        total: 2,
        hits: [{ path: "auth/c.md" }],
      });
      expect(placesOf(engine.match({ terms: asked("deploy"), filter: { until: "2023-12-31" } }, 10).hits)).toEqual([
        "auth/c.md#0",
      ]);
      expect(
        engine.match({ terms: asked("deploy"), filter: { since: "2025-01-15", until: "2025-01-15" } }, 10).total,
      ).toBe(2);
    });

    test("SRCH-1 without words gives the latest first", () => {
      const dated = documentOf("d.md", ["x"], { units: [{ date: "2026-03-01", terms: new Map() }] });
      const { hits, total } = engineOf([...notes, dated]).match({ terms: [] }, 2);
      expect(hits.map(({ path, date, score }) => [path, date, score])).toEqual([
        ["d.md", "2026-03-01", 0],
        ["a.md", undefined, 0],
      ]);
      expect(total).toBe(6);
    });

    test("SRCH-2 of words that nobody wrote finds nothing, and does not list everything", () => {
      expect(engineOf(notes).match({ terms: asked("zzzzzz") }, 10)).toEqual({ total: 0, hits: [], terms: [] });
    });

    test("SRCH-2 keeps equally good units in the order of their paths, however many there are", () => {
      const many = Array.from({ length: 500 }, (_, number) =>
        documentOf(`n${String(999 - number)}.md`, ["same words"]),
      );
      const { hits, total } = engineOf(many).match({ terms: asked("same") }, 7);
      expect(total).toBe(500);
      expect(placesOf(hits)).toEqual([500, 501, 502, 503, 504, 505, 506].map((number) => `n${number}.md#0`));
    });

    test("SRCH-2 follows a typing error to the nearest words, the more frequent first, with less weight", () => {
      const engine = engineOf([
        documentOf("a.md", ["deploy", "deploy", "depot", "display"]),
        documentOf("b.md", ["authentication", "2024"]),
      ]);
      const deploy = engine.match({ terms: asked("depoy") }, 10);
      expect(deploy.terms.map(({ term, word, weight }) => [term, word, weight])).toEqual([
        ["deploy", "depoy", 0.6],
        ["depot", "depoy", 0.6],
      ]);
      expect(engine.match({ terms: asked("uathenticatoin") }, 10).terms.map(({ term }) => term)).toEqual([
        "authentication",
      ]);
      expect(engine.match({ terms: asked("2025") }, 10).total).toBe(0);
      expect(engine.match({ terms: asked("deploy") }, 10).terms.map(({ term }) => term)).toEqual(["deploy"]);
    });

    test("SRCH-2 follows a word that nobody wrote to those that hold it, else to those that it holds", () => {
      const engine = engineOf([
        documentOf("a.md", ["sperrdatei", "sperrdateien", "daten", "microservice", "dateisystem"]),
        documentOf("b.md", ["verbindung", "config", "report"]),
      ]);
      const standIns = (word: string) => engine.match({ terms: asked(word) }, 10).terms.map(({ term }) => term);
      // Not what is near it as well: that would be a guess.
      expect(standIns("datei").sort()).toEqual(["dateisystem", "sperrdatei", "sperrdateien"]);
      expect(standIns("micro")).toEqual(["microservice"]);
      expect(standIns("datenbankverbindungen")).toEqual(["daten", "verbindung"]);
      expect(standIns("configuration")).toEqual(["config"]);
      // Too short to tell.
      expect(standIns("port")).toEqual([]);
      expect(standIns("verbindung")).toEqual(["verbindung"]);
    });

    test("SRCH-2 takes no word for a compound that only ends like another one, or that everybody knows", () => {
      const engine = engineOf([documentOf("a.md", ["sword", "press", "stand", "logdatei", "datei", "kalender"])]);
      const standIns = (word: string) => engine.match({ terms: asked(word) }, 10).terms.map(({ term }) => term);
      expect(["password", "suppress", "compress", "understand"].map(standIns)).toEqual([[], [], [], []]);
      expect(standIns("sperrdatei")).toEqual(["datei"]);
      expect(standIns("urlaubskalender")).toEqual(["kalender"]);
    });

    test("SRCH-2 finds a compound by a last part that only three letters stand before", () => {
      const engine = engineOf([documentOf("a.md", ["logdatei"])]);
      expect(engine.match({ terms: asked("datei") }, 10).terms.map(({ term }) => term)).toEqual(["logdatei"]);
    });

    test("SRCH-2 finds a half character that was indexed as an unknown one", () => {
      const engine = engineOf([documentOf("a.md", ["x\ud83d y\ud83d", "x\ufffd x\ud83d"])]);
      expect(engine.match({ terms: asked("x\ud83d") }, 10).total).toBe(2);
    });
  });

  describe("meaning", () => {
    const put = [
      documentOf("a.md", ["one", "two"], { vectors: [Float32Array.of(1, 0), Float32Array.of(0, 1)] }),
      documentOf("b.md", ["three"], { vectors: [Float32Array.of(0.8, 0.6)], kind: "topic" }),
      documentOf("c.md", ["four", "five"], { vectors: [undefined, Float32Array.of(-1, 0)] }),
      documentOf("d.md", ["six"]),
    ];

    test("SRCH-2 gives the nearest units, without those that have no vector or the opposite one", () => {
      const hits = engineOf(put).nearest(Float32Array.of(1, 0.1), 10);
      expect(placesOf(hits)).toEqual(["a.md#0", "b.md#0", "a.md#1"]);
      expect(hits[0]?.score).toBeCloseTo(1, 2);
      expect(
        placesOf(engineOf(put).nearest(Float32Array.of(1, 0.1), 10, { accepts: ({ kind }) => kind === "topic" })),
      ).toEqual(["b.md#0"]);
    });

    test("SRCH-2 of another length than the index's is near nothing", () => {
      expect(engineOf(put).nearest(Float32Array.of(1, 0, 0), 10)).toEqual([]);
      expect(engineOf([documentOf("d.md", ["six"])]).nearest(Float32Array.of(1, 0), 10)).toEqual([]);
    });
  });
});
