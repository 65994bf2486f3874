/**
 * The names of folders that a memory may be routed to, the longest prefix first: `FEATURE_BUILDER_x` asks for
 * `feature_builder`, then `feature`. A name with a slash already says where it lies (MEM-7).
 */
export function prefixesOf(name: string): string[] {
  if (name.includes("/")) return [];
  const segments = name.split("_");
  const end = segments.findIndex((segment) => !/^[A-Z]+$/.test(segment));
  const capitals = end === -1 ? segments : segments.slice(0, end);
  return capitals.map((_, index) =>
    capitals
      .slice(0, capitals.length - index)
      .join("_")
      .toLowerCase(),
  );
}

/** The folder that a new memory belongs to by its prefix. The first configured wins where two share a name. */
export function routeByPrefix<Folder extends { readonly baseName: string }>(
  name: string,
  folders: readonly Folder[],
): Folder | undefined {
  for (const prefix of prefixesOf(name)) {
    const match = folders.find(({ baseName }) => baseName.toLowerCase() === prefix);
    if (match) return match;
  }
  return undefined;
}
