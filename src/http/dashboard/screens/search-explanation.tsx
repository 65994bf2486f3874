import type { ApiHit } from "../../api/contract/search.ts";

const parts = [
  ["text", "Words"],
  ["meaning", "Meaning"],
  ["recency", "How recent"],
  ["context", "Context"],
] as const;

/** Why a hit stands where it stands. */
export function Explanation({ hit }: { hit: ApiHit }) {
  const { explanation } = hit;
  if (explanation === undefined) return <p class="muted">Asking for the reasons…</p>;
  const most = Math.max(...parts.map(([part]) => Math.abs(explanation[part])), 1e-9);
  return (
    <div class="explanation">
      <p>Score {hit.score.toFixed(3)}, made of</p>
      <ul class="bars">
        {parts.map(([part, name]) => (
          <li key={part}>
            <span>{name}</span>
            <meter min={0} max={most} value={Math.max(explanation[part], 0)} aria-label={name} />
            <span>{explanation[part].toFixed(3)}</span>
          </li>
        ))}
      </ul>
      {explanation.terms.length === 0 ? null : (
        <p class="muted">
          {explanation.terms
            .map((term) =>
              term.for === term.term
                ? `${term.term} ${term.score.toFixed(2)}`
                : `${term.term} (for ${term.for}) ${term.score.toFixed(2)}`,
            )
            .join(" · ")}
        </p>
      )}
    </div>
  );
}
