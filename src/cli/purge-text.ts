import { counted, type PurgeReport } from "../app.ts";
import { shellWord } from "./output.ts";

/** What a purge found and did, in words. */
export function purgeLines(report: PurgeReport, commands: readonly string[], isDone: boolean): string[] {
  const { places, files, left, tracked, remotes, clone } = report;
  const found = places.map(({ root, path, isCurrent, revisions }) => {
    return `  ${root}/${path}: ${isCurrent ? "now, and " : ""}${counted(revisions, "revision")} in history`;
  });
  found.push(...files.map((file) => `  ${file}`));
  if (clone?.isUnsent) found.push(`  revisions for ${clone.remote} that were not sent yet`);
  const shared =
    tracked.length === 0
      ? []
      : [
          "Repositories that are not Recollect's may hold it still. Recollect never rewrites those. Which revisions do,",
          "with the value in FILE (to rewrite them, see git help filter-branch):",
          ...commands.map((command) => `  ${command}`),
          ...new Set(remotes.map(({ name, url }) => `Every clone may hold it too, as ${name} does: ${url}`)),
        ];
  return [
    ...found,
    ...left.map((one) => `  left: ${one}`),
    ...outcome(report, isDone),
    ...shared,
    ...sentLines(report),
  ];
}

function outcome(report: PurgeReport, isDone: boolean): string[] {
  const { fingerprint } = report;
  const known = `From now on it is known as ${fingerprint}, and nobody can write it here again.`;
  const change = "Change the secret: anyone who has seen it may use it.";
  if (report.isFound) {
    if (!isDone) return ["Nothing was changed."];
    return [`${report.left.length > 0 ? "Not removed everywhere: see what is left." : "Removed."} ${known}`, change];
  }
  if (!isDone) return ["Not found in any note or in history."];
  const nothing = "It was found nowhere, so nothing was removed. Is it spelled right?";
  if (fingerprint === undefined) return [`${nothing} It can still be written; --refuse would keep it out.`];
  return [nothing, `${known} To take that back: recollect purge --take-back ${fingerprint}`, change];
}

/** Printed, never run: they change what others have. */
function sentLines({ clone, fingerprint }: PurgeReport): string[] {
  if (clone?.sent === undefined) return [];
  const { folder, remote, branch, sent } = clone;
  const says = `${remote} holds it in revisions that were sent, and so does every clone of it.`;
  if (fingerprint === undefined) return [says];
  const there = `git -C ${shellWord(folder)}`;
  const target = shellWord(`refs/heads/${branch}`);
  const made = `${there} -c user.name=Recollect -c user.email=recollect@localhost commit-tree -m clean 'HEAD^{tree}'`;
  return [
    `${says} Nothing is sent or`,
    "taken over until it is clean. Commands that put one revision, with the documents of now, in the place of them all:",
    `  ${there} push ${shellWord(`--force-with-lease=refs/heads/${branch}:${sent}`)} origin "$(${made})":${target}`,
    "  recollect sync",
  ];
}

/** Printed, never run. */
export function purgeCommands({ tracked }: PurgeReport): string[] {
  const tops = new Set(tracked.map(({ folder }) => folder));
  return [...tops].map((folder) => `git -C ${shellWord(folder)} log --all --oneline -S "$(cat FILE)"`);
}
