import type { MarkedToken, Token, Tokens } from "marked";
import { type ComponentChildren, createContext, type JSX } from "preact";
import { useContext, useMemo } from "preact/hooks";
import { splitAtReferences } from "../../api/contract/references.ts";
import { linkTo } from "../route.ts";
import { resolveEntities } from "./entities.ts";
import { linkTarget } from "./link-target.ts";
import { type NoteChunk, type NoteParts, textOf } from "./note-parts.ts";

/**
 * The tokens of a note as elements of the page. Nothing is ever parsed as HTML: markup in a note is shown as text, and
 * images are named, not loaded.
 */
export function Markdown({ parts, missing = none }: { parts: NoteParts; missing?: readonly string[] }) {
  return (
    <MissingContext.Provider value={missing}>
      <div class="prose">
        {parts.chunks.map((chunk, index) => (
          <Chunk key={index} chunk={chunk} />
        ))}
      </div>
    </MissingContext.Provider>
  );
}

const none: readonly string[] = [];
/** The names of memories that are referred to and not there. */
const MissingContext = createContext(none);

/** Made once: those that are there are not gone through again when the next one comes. */
function Chunk({ chunk }: { chunk: NoteChunk }) {
  return useMemo(() => {
    let heading = 0;
    return (
      <div class="chunk">
        {chunk.tokens.map((token, index) => {
          if (token.type !== "heading") return <Block key={index} token={token} />;
          const { id, level } = chunk.headings[heading++] ?? { id: "", level: 6 };
          return (
            <Heading key={index} id={id} level={level}>
              {inline(token.tokens)}
            </Heading>
          );
        })}
      </div>
    );
  }, [chunk]);
}

function Heading({ id, level, children }: { id: string; level: number; children: ComponentChildren }) {
  if (level === 2) return <h2 id={id}>{children}</h2>;
  if (level === 3) return <h3 id={id}>{children}</h3>;
  if (level === 4) return <h4 id={id}>{children}</h4>;
  if (level === 5) return <h5 id={id}>{children}</h5>;
  return <h6 id={id}>{children}</h6>;
}

function Block({ token: given }: { token: Token }): JSX.Element | null {
  // The lexer has no extensions, so every token is one of its own.
  const token = given as MarkedToken;
  switch (token.type) {
    case "space":
    case "def":
    case "checkbox":
      return null;
    case "hr":
      return <hr />;
    case "heading":
      // A heading inside of a quotation or a list is no part of the outline.
      return (
        <p>
          <strong>{inline(token.tokens)}</strong>
        </p>
      );
    case "code":
      return (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keys
        <pre tabIndex={0}>
          <code>{token.text}</code>
        </pre>
      );
    case "blockquote":
      return <blockquote>{blocks(token.tokens)}</blockquote>;
    case "list":
      return <List list={token} />;
    case "table":
      return <Table table={token} />;
    case "html":
      return <pre class="raw">{token.raw.trimEnd()}</pre>;
    case "paragraph":
      return <p>{inline(token.tokens)}</p>;
    case "text":
      return <>{token.tokens === undefined ? resolveEntities(token.text) : inline(token.tokens)}</>;
    default:
      return <p>{inline([token])}</p>;
  }
}

function blocks(tokens: readonly Token[]): JSX.Element[] {
  return tokens.map((token, index) => <Block key={index} token={token} />);
}

function List({ list }: { list: Tokens.List }) {
  const items = list.items.map((item, index) => (
    <li key={index} class={item.task ? "task" : ""}>
      {item.task ? <Checkbox isDone={item.checked === true} /> : null}
      {blocks(item.tokens)}
    </li>
  ));
  if (!list.ordered) return <ul>{items}</ul>;
  return <ol {...(typeof list.start === "number" ? { start: list.start } : {})}>{items}</ol>;
}

function Checkbox({ isDone }: { isDone: boolean }) {
  return <input type="checkbox" checked={isDone} disabled aria-label={isDone ? "done" : "to do"} />;
}

function Table({ table }: { table: Tokens.Table }) {
  const aligned = (cell: Tokens.TableCell) => (cell.align === null ? "" : `align-${cell.align}`);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keys
    <section class="scroll-x" tabIndex={0} aria-label="Table">
      <table>
        <thead>
          <tr>
            {table.header.map((cell, index) => (
              <th key={index} scope="col" class={aligned(cell)}>
                {inline(cell.tokens)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {table.rows.map((row, index) => (
            <tr key={index}>
              {row.map((cell, column) => (
                <td key={column} class={aligned(cell)}>
                  {inline(cell.tokens)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function inline(tokens: readonly Token[] | undefined): ComponentChildren[] {
  return (tokens ?? []).map((token, index) => <Inline key={index} token={token} />);
}

function Inline({ token: given }: { token: Token }): JSX.Element {
  const token = given as MarkedToken;
  switch (token.type) {
    case "strong":
      return <strong>{inline(token.tokens)}</strong>;
    case "em":
      return <em>{inline(token.tokens)}</em>;
    case "del":
      return <del>{inline(token.tokens)}</del>;
    case "br":
      return <br />;
    case "codespan":
      return (
        <code>
          <References text={token.text} />
        </code>
      );
    case "escape":
      return <>{token.text}</>;
    case "html":
      return <code class="raw">{token.raw}</code>;
    case "link":
      return <Link address={token.href}>{inline(token.tokens)}</Link>;
    case "image":
      return (
        <span class="picture">
          picture: {textOf(token)} <code>{token.href}</code>
        </span>
      );
    case "text":
      if (token.tokens !== undefined) return <>{inline(token.tokens)}</>;
      return <References text={token.escaped === undefined ? token.text : resolveEntities(token.text)} />;
    case "checkbox":
      return <Checkbox isDone={token.checked} />;
    default:
      return <>{token.raw}</>;
  }
}

function Link({ address, children }: { address: string; children: ComponentChildren }) {
  const target = linkTarget(address);
  if (target?.kind === "memory") return <MemoryLink name={target.name}>{children}</MemoryLink>;
  if (target?.kind === "web") {
    return (
      <a href={target.href} target="_blank" rel="noopener noreferrer">
        {children}
      </a>
    );
  }
  return (
    <>
      {children} <code class="raw">{address}</code>
    </>
  );
}

function MemoryLink({ name, children }: { name: string; children: ComponentChildren }) {
  const isMissing = useContext(MissingContext).includes(name);
  return (
    <a
      href={linkTo("mem", name.split("/"))}
      {...(isMissing ? { class: "missing", title: "No note has this name" } : {})}
    >
      {children}
      {isMissing ? <span class="hidden"> (no such note)</span> : null}
    </a>
  );
}

/** A text with its `mem:` references as links. */
function References({ text }: { text: string }) {
  if (!text.includes("mem:")) return <>{text}</>;
  return (
    <>
      {splitAtReferences(text).map((piece, index) =>
        index % 2 === 0 ? (
          piece
        ) : (
          <Link key={index} address={piece}>
            {piece}
          </Link>
        ),
      )}
    </>
  );
}
