import type { ApiGrowthDay } from "../../api/contract/overview.ts";
import { formatCount, formatDay, plural } from "../wording.ts";

const width = 640;
const height = 150;
const barRoom = 34;

/** How many documents there were day by day, and below it how many changes each day had. */
export function GrowthPlot({ days }: { days: readonly ApiGrowthDay[] }) {
  const first = days[0];
  const last = days.at(-1);
  if (first === undefined || last === undefined || days.length < 2) return null;
  const most = Math.max(...days.map((day) => day.documents), 1);
  const busiest = Math.max(...days.map((day) => day.changes), 1);
  const changes = days.reduce((sum, day) => sum + day.changes, 0);
  const x = (index: number) => round((index / (days.length - 1)) * width);
  const y = (documents: number) => round(8 + (1 - documents / most) * (height - barRoom - 12));
  const line = days.map((day, index) => `${x(index)},${y(day.documents)}`).join(" ");
  const floor = height - barRoom;
  const barWidth = round((width / days.length) * 0.7);
  return (
    <figure class="plot">
      <svg
        viewBox={`0 0 ${width} ${height}`}
        role="img"
        aria-label={`From ${formatCount(first.documents)} to ${plural(last.documents, "document")} in ${days.length} days, with ${plural(changes, "change")}.`}
      >
        <line class="axis" x1="0" x2={width} y1={floor} y2={floor} />
        <polygon class="area" points={`0,${floor} ${line} ${width},${floor}`} />
        <polyline class="curve" points={line} />
        {days.map((day, index) =>
          day.changes === 0 ? null : (
            <rect
              key={day.date}
              class="bar"
              x={round(x(index) - barWidth / 2)}
              y={round(height - (day.changes / busiest) * (barRoom - 6))}
              width={barWidth}
              height={round((day.changes / busiest) * (barRoom - 6))}
            >
              <title>{`${formatDay(day.date)}: ${plural(day.changes, "change")}`}</title>
            </rect>
          ),
        )}
      </svg>
      <figcaption>
        <span>
          {formatDay(first.date)}: {formatCount(first.documents)}
        </span>
        <span>line: documents, bars: changes a day</span>
        <span>today: {formatCount(last.documents)}</span>
      </figcaption>
      <details>
        <summary>The same as a table</summary>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keys */}
        <section class="scroll-y" tabIndex={0} aria-label="Growth by day">
          <table>
            <thead>
              <tr>
                <th scope="col">Day</th>
                <th scope="col">Documents</th>
                <th scope="col">Changes</th>
              </tr>
            </thead>
            <tbody>
              {days
                .filter((day, index) => day.changes > 0 || index === 0 || index === days.length - 1)
                .map((day) => (
                  <tr key={day.date}>
                    <th scope="row">{day.date}</th>
                    <td>{formatCount(day.documents)}</td>
                    <td>{formatCount(day.changes)}</td>
                  </tr>
                ))}
            </tbody>
          </table>
        </section>
      </details>
    </figure>
  );
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
