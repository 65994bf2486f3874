import type { ApiFinding, ApiOverview } from "../../api/contract/overview.ts";
import { useApp } from "../app-context.ts";
import { Ago, Author, Command, Empty, PlaceLink } from "../parts/basics.tsx";
import { Revisions } from "../parts/revisions.tsx";
import { Ready } from "../parts/trouble.tsx";
import { Words } from "../parts/words.tsx";
import { linkTo } from "../route.ts";
import { useLoaded, useReloadOnChange } from "../use-loaded.ts";
import { formatCount, plural } from "../wording.ts";

/** Straight from history: what was learned shows at once. */
export function Recent() {
  const { api } = useApp();
  const recent = useLoaded((signal) => api.history({ limit: "12" }, signal), []);
  useReloadOnChange(recent.reload);
  return (
    <section class="card" aria-labelledby="recent">
      <h2 id="recent">Learned lately</h2>
      <Ready of={recent} rows={8}>
        {({ revisions }) =>
          revisions.length === 0 ? (
            <Empty title="No changes yet.">
              <p>What agents and people write shows up here at once.</p>
            </Empty>
          ) : (
            <>
              <Revisions revisions={revisions} />
              <p>
                <a href={linkTo("history")}>All of history</a>
              </p>
            </>
          )
        }
      </Ready>
    </section>
  );
}

export function FirstSteps() {
  return (
    <Empty title="Nothing is remembered here yet.">
      <p>
        Connect an agent with <Command>recollect init</Command>, store what you learned with{" "}
        <Command>recollect topics store TOPIC SUBTOPIC</Command>, or{" "}
        <a href={linkTo("new")}>write the first note here</a>.
      </p>
    </Empty>
  );
}

export function Authors({ authors }: { authors: ApiOverview["authors"] }) {
  const most = Math.max(...authors.map((author) => author.changes), 1);
  if (authors.length === 0) return <Empty title="Nobody wrote in the last 90 days." />;
  return (
    <ul class="bars">
      {authors.slice(0, 8).map(({ author, changes }) => (
        <li key={author}>
          <Author author={author} />
          <meter min={0} max={most} value={changes} aria-label={`Changes of ${author}`} />
          <span>{plural(changes, "change")}</span>
        </li>
      ))}
    </ul>
  );
}

export function Recall({ data }: { data: ApiOverview }) {
  const { count, examples } = data.neverRecalled;
  return (
    <section class="card" aria-labelledby="recall">
      <h2 id="recall">Recall</h2>
      <h3>Most recalled</h3>
      {data.mostRecalled.length === 0 ? (
        <Empty title="Nothing was recalled yet.">
          <p>
            Agents recall with <code>recall_context</code>, you with <Command>recollect recall "TASK"</Command>.
          </p>
        </Empty>
      ) : (
        <ul class="rows plain">
          {data.mostRecalled.map((item) => (
            <li key={`${item.root} ${item.path}`}>
              <PlaceLink place={item} isRow />
              <span class="muted">
                {formatCount(item.count)} ×, <Ago time={item.last} />
              </span>
            </li>
          ))}
        </ul>
      )}
      <h3>Never recalled</h3>
      {count === 0 ? (
        <p class="muted">Everything was recalled at least once.</p>
      ) : (
        <>
          <p class="muted">{plural(count, "document was", "documents were")} never needed so far, such as</p>
          <ul class="rows plain">
            {examples.map((place) => (
              <li key={`${place.root} ${place.path}`}>
                <PlaceLink place={place} isRow />
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}

const levelWords = { problem: "Problem", note: "Note", fine: "Fine" } as const;

export function Health({ findings }: { findings: readonly ApiFinding[] }) {
  return (
    <section class="card" aria-labelledby="health">
      <h2 id="health">Health</h2>
      <ul class="rows findings">
        {findings.map((finding, index) => (
          <li key={index}>
            <span class={`badge ${finding.level}`}>{levelWords[finding.level]}</span> <strong>{finding.about}</strong>{" "}
            <FindingText finding={finding} />
            {finding.remedy === undefined ? null : (
              <p class="muted">
                {isCommand(finding.remedy) ? <Command>{finding.remedy}</Command> : <Words text={finding.remedy} />}
              </p>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Where something can be done about a finding in this page, it leads there. */
const screensFor: Readonly<Record<string, "conflicts" | "guard" | "agents" | "topics">> = {
  conflicts: "conflicts",
  conflict: "conflicts",
  guard: "guard",
  tokens: "agents",
  topics: "topics",
};

function FindingText({ finding: { about, says, level } }: { finding: ApiFinding }) {
  const screen = level === "fine" ? undefined : screensFor[about];
  if (screen !== undefined) {
    return (
      <a href={linkTo(screen)} data-row="">
        {says}
      </a>
    );
  }
  const [, name, rest] = about === "reference" ? (/^(.+?)( \(.*)$/s.exec(says) ?? []) : [];
  if (name === undefined) return <Words text={says} />;
  return (
    <>
      <a href={linkTo("mem", name.split("/"))} data-row="">
        {name}
      </a>
      {rest}
    </>
  );
}

/** A command alone, and no sentence about one. */
function isCommand(remedy: string): boolean {
  return /^recollect [^().]*$/.test(remedy.replaceAll(/"[^"]*"/g, ""));
}
