import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";

const overscan = 12;

/**
 * A list of rows of one height of which only those near the window are in the page. The page itself scrolls, so that
 * a phone's bars and the keys behave as everywhere.
 */
export function VirtualList(props: {
  label: string;
  count: number;
  rowHeight: number;
  keyOf: (index: number) => string;
  row: (index: number) => ComponentChildren;
}) {
  const list = useRef<HTMLUListElement>(null);
  const [range, setRange] = useState({ from: 0, to: 60 });

  useLayoutEffect(() => {
    const measure = () => {
      const top = -(list.current?.getBoundingClientRect().top ?? 0);
      const from = Math.max(0, Math.floor(top / props.rowHeight) - overscan);
      const to = Math.ceil((top + innerHeight) / props.rowHeight) + overscan;
      setRange((last) => (last.from === from && last.to === to ? last : { from, to }));
    };
    measure();
    addEventListener("scroll", measure, { passive: true });
    addEventListener("resize", measure);
    return () => {
      removeEventListener("scroll", measure);
      removeEventListener("resize", measure);
    };
  }, [props.rowHeight, props.count]);

  const to = Math.min(props.count, Math.max(range.to, 0));
  const from = Math.min(range.from, to);
  return (
    <ul ref={list} class="virtual" aria-label={props.label} style={{ height: `${props.count * props.rowHeight}px` }}>
      {Array.from({ length: to - from }, (_, offset) => {
        const index = from + offset;
        return (
          <li
            key={props.keyOf(index)}
            aria-setsize={props.count}
            aria-posinset={index + 1}
            style={{ top: `${index * props.rowHeight}px`, height: `${props.rowHeight}px` }}
          >
            {props.row(index)}
          </li>
        );
      })}
    </ul>
  );
}
