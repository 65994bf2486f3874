/** Says that a text comes from an earlier visit of this tab. */
export function RestoredNote({ onDiscard }: { onDiscard: () => void }) {
  return (
    <p class="note accent">
      Your unsaved text was restored.{" "}
      <button type="button" class="link" onClick={onDiscard}>
        Discard it
      </button>
    </p>
  );
}
