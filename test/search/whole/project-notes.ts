/** The notes of a program for invoices, as a team and its agents write them, by path. */
export const projectNotes: Readonly<Record<string, string>> = {
  "project-overview.md":
    "# Ledgerly\n\nInvoices and bookkeeping for small companies. TypeScript monorepo with pnpm: `apps/web` (React), `apps/api` (Fastify), `packages/domain`. PostgreSQL 16, Redis for queues. Hosted in Frankfurt.\n",
  "suggested-commands.md":
    "# Commands\n\n`pnpm dev` starts everything, `pnpm test --filter api` only the tests of the API. `pnpm db:reset` drops and seeds the local database. `pnpm lint --fix` before each commit.\n",
  "style.md":
    "# Code style\n\nNamed exports only, no default exports. Errors are values of type `Result`. Files in kebab-case. Comments say why, not what.\n",
  "done.md":
    "# When a task is done\n\nTests pass, lint is clean, the changelog has a line for users, and the pull request names the ticket.\n",
  "architecture/modules.md":
    "# Modules\n\nThe domain package knows nothing of HTTP or SQL. The API calls it through ports; adapters live in `apps/api/src/adapters`.\n\n## Why no microservices\n\nThree people cannot run twelve services.\n",
  "architecture/queues.md":
    "# Queues\n\nBullMQ on Redis. Jobs must be idempotent: a worker that dies is restarted and takes the job again. A job that fails five times lands in the dead letter queue, which we look through on Mondays.\n",
  "architecture/multi-tenancy.md":
    "# Tenants\n\nEvery table has `tenant_id`, and row level security in PostgreSQL enforces it. Set `app.tenant` at the beginning of each transaction; forgetting it returns no rows instead of an error.\n",
  "architecture/events.md":
    "# Domain events\n\nEvents are written to an outbox table in the same transaction and published by a poller every 500 ms. Consumers deduplicate by event id.\n",
  "architecture/money.md":
    "# Money\n\nAmounts are integers in cents with a currency; never floats. Rounding happens once, at the line of an invoice, half to even.\n",
  "auth/sessions.md":
    "# Sessions\n\nA session cookie lives for 14 days and is renewed on use. `readSession` in `apps/api/src/auth/session-store.ts` is the only place that reads it. Logging out deletes the row.\n",
  "auth/password-reset.md":
    "# Password reset\n\nA mail with a link that expires after one hour. Five per day and address; more are dropped silently, so that nobody learns which addresses exist.\n",
  "auth/sso.md":
    "# Single sign-on\n\nSAML through WorkOS for customers of the Business plan. The certificate of Contoso runs out every March; ask Priya for the new one two weeks before.\n",
  "auth/permissions.md":
    "# Permissions\n\nRoles are owner, accountant and viewer. An accountant may close a month, nobody may reopen it but the owner. Checked in `packages/domain/src/permissions.ts`, never in the components.\n",
  "database/runbook.md":
    "# Database runbook\n\nIf replication lag exceeds 30 seconds, page the person on call. Failover: `patronictl switchover`. Do not restart the primary by hand. Connection limit is 200; PgBouncer in transaction mode.\n",
  "database/migrations.md":
    "# Migrations\n\nExpand, migrate, contract: a column is added nullable, filled in batches of 1,000, made required in the next release. Migrations are never undone; write a new one. `CREATE INDEX CONCURRENTLY` outside of a transaction.\n",
  "database/slow-queries.md":
    "# Slow queries\n\nThe list of invoices was slow because of `OFFSET`; it uses keyset pagination by `(issued_at, id)` now. `pg_stat_statements` is on in production.\n",
  "database/backups.md":
    "# Backups\n\nWAL archiving to S3 with pgBackRest, full on Sundays. A restore was rehearsed in May and took 41 minutes. Kept for 35 days.\n",
  "deploy/release.md":
    "# Release\n\nEvery merge to main goes to staging. A tag `v*` goes to production after an approval in the pipeline. No releases on Fridays after noon.\n",
  "deploy/rollback.md":
    "# Rolling back\n\nRun `scripts/rollback.sh` with the previous image. Feature flags first: most incidents end by switching one off.\n",
  "deploy/feature-flags.md":
    "# Feature flags\n\nUnleash. A flag has an owner and an end date; `flags.json` in the repository lists those that the build knows. Old ones are removed each quarter.\n",
  "deploy/kubernetes.md":
    "# Cluster\n\nThree nodes of type CX41. The API has 4 replicas with 512 MB each; it is killed by the kernel above that. Canary gets 10 % of the traffic for ten minutes.\n",
  "deploy/secrets.md":
    "# Secrets\n\nSealed Secrets in the deploy repository; developers use `doppler run`. Rotating the signing key logs everybody out, so do it at night.\n",
  "errors/econnrefused.md":
    "# ECONNREFUSED when the stack starts\n\nThe database container is slower than the API. Wait for the health check; `depends_on` with `condition: service_healthy`. Error code LED-4711 in the log.\n",
  "errors/out-of-memory.md":
    "# Out of memory in the importer\n\nThe CSV importer read whole files. It streams now; heap stays under 200 MB. Customers upload up to 2 GB.\n",
  "errors/hydration.md":
    "# Hydration mismatch on the dashboard\n\nDates were formatted in the time zone of the server. Format them after mounting, or pass the zone of the tenant.\n",
  "errors/duplicate-invoices.md":
    "# Duplicate invoice numbers\n\nTwo workers drew the same number. Numbers come from a row with `SELECT … FOR UPDATE` per tenant and year; gaps are not allowed by law.\n",
  "errors/webhook-signature.md":
    "# Stripe webhooks fail with 400\n\nFastify parsed the body before the signature was checked. The route keeps the raw body: `config: { rawBody: true }`.\n",
  "errors/flaky-e2e.md":
    "# Flaky end-to-end tests\n\nPlaywright clicked before the table was loaded. Wait for `data-ready`, never for a timeout. Flaky tests are quarantined for a week, then mended or deleted.\n",
  "errors/email-bounces.md":
    "# Mails land in spam\n\nDKIM was missing for the sending domain of tenants. Postmark checks it now when a domain is added; without it we send from our own.\n",
  "payments/refunds.md":
    "# Refunds\n\nMoney goes back through Stripe within 5 days; `RefundService.createRefund` must be idempotent. A refund creates a credit note, the invoice itself is never changed.\n",
  "payments/dunning.md":
    "# Dunning\n\nReminders after 7, 14 and 28 days past due, then a human decides. Sundays and public holidays are skipped, by the calendar of the tenant's country.\n",
  "payments/subscriptions.md":
    "# Subscriptions\n\nPlans: Starter, Team, Business. Downgrades take effect at the end of the period, upgrades at once and prorated. A failed card gives 10 days of grace.\n",
  "payments/bank-import.md":
    "# Bank statements\n\nCAMT.053 files over EBICS each morning at 6. Matching goes by the reference first, then by amount and name; below 0.8 a person confirms.\n",
  "tax/umsatzsteuer.md":
    "# Umsatzsteuer\n\nDer DATEV-Export läuft am Monatsersten. Regelsatz 19 %, ermäßigt 7 %. Reverse Charge nur mit gültiger USt-IdNr.; sie wird über VIES geprüft und das Ergebnis fünf Jahre aufbewahrt.\n",
  "tax/e-rechnung.md":
    "# E-Rechnung\n\nSeit 2025 müssen Firmen XRechnung oder ZUGFeRD annehmen. Wir erzeugen ZUGFeRD 2.3; der KoSIT-Validator läuft in den Tests.\n",
  "tax/retention.md":
    "# How long documents are kept\n\nInvoices ten years, letters six, by German law. Deleting an account anonymises people but keeps the invoices.\n",
  "web/forms.md":
    "# Forms\n\nReact Hook Form with zod schemas from `packages/domain`. Amounts are typed with the comma or the dot of the user's locale; `parseAmount` understands both.\n",
  "web/tables.md":
    "# Tables\n\nTanStack Table, virtualised above 200 rows. The widths of columns are kept per user in local storage.\n",
  "web/pdf.md":
    "# PDF of an invoice\n\nRendered with Typst in a worker, 300 ms each, not with a browser. Fonts must be embedded, or the archive format PDF/A-3 is refused.\n",
  "web/translations.md":
    "# Translations\n\nLingui; German and English. Texts of mails are translated by hand by Marta, never by machine. Missing keys fail the build.\n",
  "web/accessibility.md":
    "# Accessibility\n\naxe runs in every Playwright test. Dialogs trap the focus; toasts are announced politely. Contrast at least 4.5.\n",
  "api/rate-limits.md":
    "# Rate limits\n\n600 requests a minute for each API key, counted in Redis by a sliding window. Answers carry `RateLimit-Remaining`. Partners with a contract have 6,000.\n",
  "api/pagination.md":
    "# Pagination of the public API\n\nCursors, opaque and signed; at most 100 a page. A cursor is good for 24 hours.\n",
  "api/versioning.md":
    "# Versions of the public API\n\nBy date in the header `Ledgerly-Version`. A version is supported for 18 months; changes that break are announced by mail.\n",
  "api/resource-24.md":
    "# API resource 24\n\nResource 24 is the ledger account: `GET /v1/accounts/24`. `protoService.init()` must be called before the first request.\n",
  "api/webhooks-out.md":
    "# Webhooks that we send\n\nSigned with HMAC-SHA256, tried again for 3 days with growing pauses. The order of events is not promised.\n",
  "team/on-call.md":
    "# On call\n\nWeeks begin on Tuesday at ten. Grafana alerts go to Opsgenie. Whoever was woken up comes later the next day.\n",
  "team/decisions.md":
    "# Decisions\n\n2025-02: Fastify instead of NestJS, because decorators hid what runs. 2025-06: no GraphQL; partners asked for plain REST.\n",
  "team/customers.md":
    "# Large customers\n\nContoso has 40,000 invoices a month and their own SSO. Northwind imports by CSV only, always on the first of the month: do not deploy the importer then.\n",
  "testing/strategy.md":
    "# Tests\n\nVitest with a real PostgreSQL from testcontainers; nothing is mocked but the clock and Stripe. Factories in `packages/testing/src/factories.ts`.\n",
  "testing/load.md":
    "# Load tests\n\nk6 scripts in `load/`. The API holds 900 requests a second on staging; beyond that PgBouncer queues.\n",
  "observability/tracing.md":
    "# Tracing\n\nOpenTelemetry to Tempo, sampled at 5 %. The id of a trace is shown on the error page, so ask the customer for it.\n",
};
