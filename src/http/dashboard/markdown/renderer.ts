export { Markdown } from "./markdown.tsx";
export { takeApart } from "./note-parts.ts";
