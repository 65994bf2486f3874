import { useEffect } from "preact/hooks";
import type { ApiOverview } from "../../api/contract/overview.ts";
import { useApp } from "../app-context.ts";
import { Title, Waiting } from "../parts/basics.tsx";
import { GrowthPlot } from "../parts/growth-plot.tsx";
import { Ready } from "../parts/trouble.tsx";
import { linkTo } from "../route.ts";
import { useLoaded, useReloadOnChange, useReloadWhilePartial } from "../use-loaded.ts";
import { formatBytes, formatCount, plural } from "../wording.ts";
import { Authors, FirstSteps, Health, Recall, Recent } from "./overview-cards.tsx";

/** Figures cost something, so a server gives the same ones for a while, also after a change. */
const figuresPause = 30_000;

export function OverviewScreen() {
  const { api, session } = useApp();
  const overview = useLoaded((signal) => api.overview(signal), []);
  useReloadOnChange(overview.reload);
  const isPartial = (overview.data?.partial.length ?? 0) > 0;
  useReloadWhilePartial(overview, isPartial);
  useEffect(() => {
    const timer = setTimeout(overview.reload, figuresPause);
    return () => clearTimeout(timer);
  }, [overview.data]);
  return (
    <>
      <Title
        note={session.project === undefined ? "What is remembered here" : `What is remembered in ${session.project}`}
      >
        Overview
      </Title>
      <Ready of={overview} rows={8}>
        {(data) => <Overview data={data} />}
      </Ready>
    </>
  );
}

function Overview({ data }: { data: ApiOverview }) {
  const problems = data.health
    ?.filter((finding) => finding.level === "problem")
    .reduce((sum, { count }) => sum + count, 0);
  const isCounting = data.partial.includes("growth") && data.growth.every((day) => day.changes === 0);
  return (
    <div class="overview">
      {data.warnings.map((warning) => (
        <p key={warning} class="note warn">
          {warning}
        </p>
      ))}
      {data.partial.length === 0 ? null : (
        <p class="muted" role="status">
          Still counting: {data.partial.join(", ")}.
        </p>
      )}
      <dl class="figures">
        <Figure name="Documents" value={formatCount(data.documents)} />
        <Figure name="Size" value={formatBytes(data.bytes)} />
        <Figure name="Never recalled" value={formatCount(data.neverRecalled.count)} />
        <Figure
          name="Conflicts"
          value={data.conflicts === 0 ? "none" : formatCount(data.conflicts)}
          href={linkTo("conflicts")}
        />
        {problems === undefined ? null : (
          <Figure name="Health" value={problems === 0 ? "fine" : plural(problems, "problem")} href="#health" />
        )}
      </dl>
      {data.documents === 0 ? <FirstSteps /> : null}
      <div class="columns">
        <Recent />
        <div class="stack">
          <section class="card" aria-labelledby="growth">
            <h2 id="growth">Growth</h2>
            {isCounting ? <Waiting rows={4} /> : <GrowthPlot days={data.growth} />}
          </section>
          <section class="card" aria-labelledby="authors">
            <h2 id="authors">By whom</h2>
            {isCounting ? <Waiting rows={2} /> : <Authors authors={data.authors} />}
          </section>
          <Recall data={data} />
          {data.health === undefined ? null : <Health findings={data.health} />}
        </div>
      </div>
    </div>
  );
}

function Figure({ name, value, href }: { name: string; value: string; href?: string }) {
  const isHere = href === "#health";
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        {href === undefined ? (
          value
        ) : isHere ? (
          <button
            type="button"
            class="link"
            onClick={() => document.getElementById("health")?.scrollIntoView({ block: "center" })}
          >
            {value}
          </button>
        ) : (
          <a href={href}>{value}</a>
        )}
      </dd>
    </div>
  );
}
