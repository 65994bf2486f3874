import { describe, expect, it } from "vitest";
import { createHistory } from "../../src/history/history.ts";
import { ada, at, bob, openWorld, scratchFolder } from "./scratch.ts";

const carol = { author: "person:carol" };

async function opened() {
  const { documents, history: own } = openWorld(scratchFolder());
  const history = createHistory({ histories: [own], documents });
  const authors = async (path = "a.md") => (await history.blame(at(path))).map(({ operation }) => operation.author);
  await documents.write(at("a.md"), "one\ntwo\n", ada);
  await documents.write(at("a.md"), "one\ntwo\nthree\n", bob);
  return { documents, history, authors };
}

const written = ["agent:ada", "agent:ada", "person:bob"];

describe("USE-8 blame after an undo or a restore", () => {
  it("credits the lines of a note whose deletion was undone to their authors", async () => {
    const { documents, history, authors } = await opened();
    expect(await authors()).toEqual(written);
    await documents.remove(at("a.md"), carol);
    await history.undo({ author: "person:carol" }, carol);
    expect(await authors()).toEqual(written);
  });

  it("credits the lines of a version that was restored to their authors", async () => {
    const { documents, history, authors } = await opened();
    await documents.write(at("a.md"), "something else\n", carol);
    await history.restore(at("a.md"), "~1", carol);
    expect(await authors()).toEqual(written);
    await documents.append(at("a.md"), "four\n", carol);
    expect(await authors()).toEqual([...written, "person:carol"]);
  });

  it("credits lines that an undo puts back among what others wrote since", async () => {
    const { documents, history, authors } = await opened();
    await documents.write(at("a.md"), "three\n", carol);
    await documents.write(at("a.md"), "three\nfour\n", bob);
    await history.undo({ author: "person:carol" }, carol);
    expect(await authors()).toEqual([...written, "person:bob"]);
  });

  it("credits a line to its new author where nobody undid anything", async () => {
    const { documents, authors } = await opened();
    await documents.write(at("a.md"), "three\n", carol);
    await documents.write(at("a.md"), "one\nthree\n", carol);
    expect(await authors()).toEqual(["person:carol", "person:bob"]);
  });
});
