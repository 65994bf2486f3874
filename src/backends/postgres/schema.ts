/**
 * The tables, as steps that bring any older form of them to the newest. A step is never changed once it was released.
 * Nothing in a step may take long: servers that are at work on the tables wait for it.
 * Every key begins with the space, so that a database can be split by it; only what PostgreSQL and those who speak its
 * language share is used.
 */
export const migrations: readonly string[] = [
  `
  CREATE TABLE recollect.spaces (
    space text COLLATE "C" PRIMARY KEY,
    last_change bigint NOT NULL DEFAULT 0,
    released bigint NOT NULL DEFAULT 0,
    created timestamptz NOT NULL DEFAULT now()
  );
  CREATE TABLE recollect.contents (
    space text COLLATE "C" NOT NULL,
    rev text COLLATE "C" NOT NULL,
    content bytea NOT NULL,
    PRIMARY KEY (space, rev)
  );
  CREATE TABLE recollect.documents (
    space text COLLATE "C" NOT NULL,
    path text COLLATE "C" NOT NULL,
    rev text COLLATE "C" NOT NULL,
    size integer NOT NULL,
    is_text boolean NOT NULL DEFAULT true,
    modified timestamptz NOT NULL,
    change bigint NOT NULL,
    PRIMARY KEY (space, path)
  );
  CREATE INDEX documents_by_change ON recollect.documents (space, change);
  CREATE TABLE recollect.changes (
    space text COLLATE "C" NOT NULL,
    change bigint NOT NULL,
    operation text COLLATE "C" NOT NULL,
    path text COLLATE "C" NOT NULL,
    kind text NOT NULL,
    rev text COLLATE "C",
    was text COLLATE "C",
    other_space text COLLATE "C",
    other_path text COLLATE "C",
    time timestamptz NOT NULL,
    author text NOT NULL,
    run text,
    reason text,
    batch text,
    PRIMARY KEY (space, change)
  );
  CREATE INDEX changes_by_path ON recollect.changes (space, path, change);
  CREATE INDEX changes_by_operation ON recollect.changes (space, operation);
  ${["spaces", "contents", "documents", "changes"]
    .map(
      (table) => `
  ALTER TABLE recollect.${table} ENABLE ROW LEVEL SECURITY;
  ALTER TABLE recollect.${table} FORCE ROW LEVEL SECURITY;
  CREATE POLICY own_spaces ON recollect.${table}
    USING (space = ANY ((SELECT string_to_array(current_setting('recollect.spaces', true), E'\\x1f'))::text[]));`,
    )
    .join("")}
  `,
  // The names of agents below the space of all of them, for whoever says which space that is.
  `
  CREATE POLICY names_below ON recollect.spaces FOR SELECT
    USING (left(space, length(current_setting('recollect.below', true))) = nullif(current_setting('recollect.below', true), ''));
  CREATE TABLE recollect.heartbeat (
    is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
    beat bigint NOT NULL
  );
  INSERT INTO recollect.heartbeat (beat) VALUES (0);
  `,
  // What servers must agree on beside the documents; and how often a space was purged, so that nobody follows on.
  `
  CREATE TABLE recollect.records (
    space text COLLATE "C" NOT NULL,
    kind text COLLATE "C" NOT NULL,
    name text COLLATE "C" NOT NULL,
    record text NOT NULL,
    PRIMARY KEY (space, kind, name)
  );
  ALTER TABLE recollect.records ENABLE ROW LEVEL SECURITY;
  ALTER TABLE recollect.records FORCE ROW LEVEL SECURITY;
  CREATE POLICY own_spaces ON recollect.records
    USING (space = ANY ((SELECT string_to_array(current_setting('recollect.spaces', true), E'\\x1f'))::text[]));
  ALTER TABLE recollect.spaces ADD COLUMN purges bigint NOT NULL DEFAULT 0;
  `,
  // The setting has a separator around each name. No index serves this form: whoever asks names the space, and plans go
  // by that alone.
  ["spaces", "contents", "documents", "changes", "records"]
    .map(
      (table) => `ALTER POLICY own_spaces ON recollect.${table}
    USING (strpos(current_setting('recollect.spaces', true), E'\\x1f' || space || E'\\x1f') > 0);`,
    )
    .join("\n"),
  // With it, every change of a document is a new entry in each of its indexes; what changed last, the changes tell.
  "DROP INDEX recollect.documents_by_change;",
  // How often somebody had to find out what became of a write there: one that is still on its way is too late then.
  "ALTER TABLE recollect.spaces ADD COLUMN doubts bigint NOT NULL DEFAULT 0;",
  // When that was, so that no later change gets an earlier time.
  "ALTER TABLE recollect.spaces ADD COLUMN last_time timestamptz NOT NULL DEFAULT '-infinity';",
];
