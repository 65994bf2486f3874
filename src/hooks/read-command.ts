/** Put before a program without being one. */
const before = /^(?:sudo|env|time|timeout|nice|npx|pnpx|bunx|exec|command|poetry|uv|\d+[smh]?|[A-Z_]\w*=.*)$/;
/** They show something, and what they show may be full of errors that are none of theirs. */
const looking =
  /^(?:cat|bat|grep|egrep|rg|ag|ls|find|fd|head|tail|less|more|sed|awk|cut|sort|jq|yq|wc|echo|printf|which|man|tree|stat|file|diff|cd|pushd|popd|export|set|sleep|source|pwd|true|git (?:diff|log|show|status|blame|grep|config|stash|branch|remote|rev-parse|ls-files))$/;
/** Words by which a command says that it changes something. */
const changing =
  /(?:^|[\s'";&|])(?:install|uninstall|add|remove|rm|mv|cp|ln|mkdir|touch|tee|chmod|chown|sed -i|patch|checkout|restore|reset|revert|stash|switch|submodule|merge|rebase|upgrade|update|apply|init|restart|start|stop|up|down|enable|disable|set|unset|clean|prune|export|i|ci|create|drop|migrate|generate|restorecon|import|load|flush|clear|kill|pkill|reload|build|pull|push)(?=[\s'";&|]|$)|[^2]>\s?[^&\s]/;
const testing = /\b(?:tests?|vitest|jest|mocha|pytest|spec|rspec|playwright|cypress|phpunit|unittest|junit|tox|nox)\b/i;
const mostPrograms = 6;
const mostFiles = 20;

/**
 * The programs of a command, each with its first word, without what is put before them and what only shows something:
 * what a repaired command has in common with the failed one.
 */
export function programsOf(command: string): string[] {
  const all = command.split(/&&|;|\|\||\n/).map(programOf);
  const working = all.filter((program) => program !== "" && !looking.test(program) && !looking.test(nameOf(program)));
  const programs = working.length > 0 ? working : all.filter((program) => program !== "");
  return [...new Set(programs)].slice(-mostPrograms);
}

/** Whether what it prints tells how its own work went; of a test, where its exit code is hidden behind a pipe. */
export function showsItsErrors(command: string): boolean {
  const programs = programsOf(command);
  if (programs.every((program) => looking.test(program) || looking.test(nameOf(program)))) return false;
  return !isTest(command) || /[^|]\|[^|]/.test(command);
}

export function isTest(command: string): boolean {
  return testing.test(command);
}

/** Whether a command that succeeded may have repaired something. */
export function isChanging(command: string): boolean {
  return changing.test(command);
}

/** Words that may name files. */
export function filesIn(command: string): string[] {
  return (command.match(/[\w@.-]*[./][\w./@-]*\w/g) ?? []).slice(0, mostFiles);
}

function programOf(part: string): string {
  const words = (part.split("|")[0] ?? "").trim().split(/\s+/);
  const [program = "", ...rest] = words.slice(words.findIndex((word) => !before.test(word)));
  return [program.split("/").at(-1), rest.find((word) => /^[a-z][\w:-]*$/i.test(word)) ?? ""].join(" ").trim();
}

function nameOf(program: string): string {
  return program.split(" ")[0] ?? "";
}
