import { renderIndex } from "../../notes/topics/index-file.ts";
import { mergeTopic } from "../../notes/topics/merge-entries.ts";
import { mergeIndex } from "../../notes/topics/merge-topics.ts";
import { parseTopicFile } from "../../notes/topics/topic-file.ts";
import { indexPath, nameOfTopicPath, topicOfArchivePath } from "../../notes/topics/topic-paths.ts";
import type { ChangedSince, UndoFormat, WithoutChange } from "../undo-format.ts";

/** What is undone in a folder of topics is undone by entry, and its index is made anew afterwards. */
export function undoTopics(root: string | undefined): UndoFormat {
  return {
    undo: (at, changed) => {
      if (at.root !== root) return undefined;
      if (at.path === indexPath) return undoInIndex(changed);
      const isOfEntries = nameOfTopicPath(at.path) !== undefined || topicOfArchivePath(at.path) !== undefined;
      return isOfEntries ? undoInEntries(changed) : undefined;
    },
    isDerivedChange: (at, before, after) => {
      if (at.root !== root || at.path !== indexPath) return false;
      return before === undefined || after === undefined || withoutRows(before) === withoutRows(after);
    },
    // What a store had pruned goes out of the archive when it comes back into its topic.
    needs: (at, other) => {
      const topic = at.root === root && other.root === root ? topicOfArchivePath(at.path) : undefined;
      return topic !== undefined && nameOfTopicPath(other.path)?.topic === topic;
    },
  };
}

function undoInEntries({ after, now, before }: ChangedSince): WithoutChange {
  // A file that was made then keeps its beginning for those who have written in it since.
  const former = before ?? parseTopicFile(now).preamble;
  const merged = mergeTopic(after, now, former);
  if (merged.kind === "conflict" || merged.doubled) return { why: "others have changed the same entries since" };
  const isEmpty = before === undefined && parseTopicFile(merged.content).entries.length === 0;
  return { text: isEmpty ? undefined : merged.content };
}

function undoInIndex({ after, now, before }: ChangedSince): WithoutChange {
  const merged = mergeIndex(after, now, before ?? "");
  return merged.kind === "merged" ? { text: merged.content } : { why: "others have changed the same lines since" };
}

function withoutRows(text: string): string {
  return renderIndex(text, []);
}
