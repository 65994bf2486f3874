import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Search } from "../../../src/search/search.ts";
import { openWorkspace, type Workspace } from "../../../src/workspace/workspace.ts";
import { temporaryFolders } from "../../helpers/temporary-folders.ts";
import { complete, searchWorld } from "./search-world.ts";

const folders = temporaryFolders();

/** The notes of a small shop, as its people write them. */
const notes: Readonly<Record<string, string>> = {
  "architecture.md":
    "# Architecture\n\nThe shop is a monolith in TypeScript with a PostgreSQL database. Orders go through a queue.\n\n## Why no microservices\n\nThree people cannot run twelve services.\n",
  "auth/session.md":
    "# Sessions\n\nA session cookie lives for 14 days. `getUserName` reads it in `src/auth/session-store.ts`; `refresh_token_rotation` is on.\n",
  "auth/password-reset.md":
    "# Password reset\n\nA mail with a link that expires after one hour. Rate limit: five per day and address.\n",
  "deploy/rollback.md":
    "# Rolling back\n\nRun `scripts/rollback.sh` with the previous image. Migrations are never undone; write a new one.\n",
  "deploy/release.md":
    "# Release\n\nEvery merge to main goes to staging; a tag `v*` goes to production after approval.\n",
  "errors/e-conn.md":
    "# ECONNREFUSED at start\n\nThe database container is slower than the app: error code `SHOP-4711`. Wait for the health check.\n",
  "errors/oom.md":
    "# Out of memory in the importer\n\nThe CSV importer read whole files. It streams now, heap stays under 200 MB.\n",
  "payments/refund.md":
    "# Refunds\n\nMoney goes back by the provider's API within 5 days; `RefundService.createRefund` must be idempotent.\n",
  "testing.md":
    "# Tests\n\nVitest with a real database. Flaky tests are quarantined for a week, then deleted or mended.\n",
  "de/rechnung.md":
    "# Rechnungsstellung\n\nRechnungen werden nachts erzeugt und als PDF verschickt. Die Größe der Anhänge ist auf 5 MB begrenzt.\n",
  "de/urlaub.md":
    "# Urlaubsvertretung\n\nWer im Urlaub ist, trägt seine Vertretung in den Kalender ein. Straßenfeste zählen nicht.\n",
  "zh/缓存.md": "# 缓存策略\n\n商品列表缓存五分钟，购物车不缓存。数据库连接池大小为二十。\n",
  "zh/部署.md": "# 部署流程\n\n先在测试环境验证，然后发布到生产环境。回滚需要批准。\n",
  "ja/決済.md": "# 決済エラー\n\nクレジットカードの有効期限が切れた場合、再試行しない。ユーザーに通知する。\n",
  "ja/検索.md": "# 検索機能\n\n商品名とカテゴリで検索できる。インデックスは毎晩更新される。\n",
  "ru/заказы.md": "# Заказы\n\nОтменённые заказы хранятся тридцать дней, потом удаляются. Клиенту приходит письмо.\n",
  "ru/склад.md": "# Склад\n\nОстатки на складе обновляются каждые десять минут.\n",
  "ar/شحن.md": "# الشحن\n\nيتم شحن الطلبات خلال يومين. رسوم التوصيل مجانية للطلبات الكبيرة.\n",
  "ar/دفع.md": "# الدفع\n\nنقبل البطاقات الائتمانية فقط.\n",
  "emoji.md": "# Signs in commits\n\n🚀 is a release, 🐛 a bug fix, 🔥 removes code.\n",
};

const firsts: readonly (readonly [query: string, path: string | RegExp])[] = [
  ["how do I undo a deployment", "deploy/rollback.md"],
  ["roll back", "deploy/rollback.md"],
  ["how long does a session live", "auth/session.md"],
  ["forgotten password mail", "auth/password-reset.md"],
  ["give money back to the customer", "payments/refund.md"],
  ["why not microservices", "architecture.md"],
  ["flaky tests", "testing.md"],
  // Slips of the finger.
  ["sesion cokie", "auth/session.md"],
  ["pasword rset", "auth/password-reset.md"],
  ["microservcies", "architecture.md"],
  ["refudns", "payments/refund.md"],
  // Identifiers, whole and in parts.
  ["getUserName", "auth/session.md"],
  ["get user name", "auth/session.md"],
  ["getusername", "auth/session.md"],
  ["refresh_token_rotation", "auth/session.md"],
  ["token rotation", "auth/session.md"],
  ["createRefund", "payments/refund.md"],
  ["RefundService.createRefund", "payments/refund.md"],
  ["src/auth/session-store.ts", "auth/session.md"],
  ["session-store.ts", "auth/session.md"],
  ["scripts/rollback.sh", "deploy/rollback.md"],
  ["ECONNREFUSED", "errors/e-conn.md"],
  ["econnrefused", "errors/e-conn.md"],
  ["SHOP-4711", "errors/e-conn.md"],
  ["4711", "errors/e-conn.md"],
  ["heap out of memory", "errors/oom.md"],
  // German: endings, compounds by their parts, ß and umlauts however they are typed.
  ["Rechnung", "de/rechnung.md"],
  ["rechnungen verschicken", "de/rechnung.md"],
  ["groesse der anhaenge", "de/rechnung.md"],
  ["grösse anhang", "de/rechnung.md"],
  ["Vertretung im Urlaub", "de/urlaub.md"],
  ["strassenfest", "de/urlaub.md"],
  ["Straße", "de/urlaub.md"],
  ["Stellung der Rechnungen", "de/rechnung.md"],
  ["Urlaubskalender", "de/urlaub.md"],
  // Chinese and Japanese, without blanks between words.
  ["缓存", "zh/缓存.md"],
  ["数据库连接池", "zh/缓存.md"],
  ["生产环境", "zh/部署.md"],
  ["怎么回滚", "zh/部署.md"],
  ["クレジットカード", "ja/決済.md"],
  ["有効期限", "ja/決済.md"],
  ["商品の検索", "ja/検索.md"],
  ["ｲﾝﾃﾞｯｸｽ", "ja/検索.md"],
  // Russian, in other cases than the text's; Arabic with and without the article.
  ["отмененный заказ", "ru/заказы.md"],
  ["остатки склада", "ru/склад.md"],
  ["ЗАКАЗЫ", "ru/заказы.md"],
  ["شحن الطلبات", "ar/شحن.md"],
  ["رسوم التوصيل", "ar/شحن.md"],
  ["بطاقات", "ar/دفع.md"],
  ["🚀", "emoji.md"],
  ["🐛 bug", "emoji.md"],
];

describe("on the notes of a small shop", () => {
  let workspace: Workspace;
  let search: Search;

  beforeAll(async () => {
    const world = searchWorld(folders.make());
    for (const [path, text] of Object.entries(notes)) world.note(path, text);
    workspace = await openWorkspace({ project: world.project, home: world.home, env: {} });
    search = workspace.search;
  });
  afterAll(() => workspace.close());

  it.each(firsts)("SRCH-2 “%s” finds %s first", async (query, path) => {
    const { hits } = await complete(search, { query, explain: true });
    const shown = hits.slice(0, 3).map((hit) => `${hit.path} ${hit.score.toFixed(2)}`);
    expect(hits[0]?.path, shown.join(", ")).toBe(path);
  });

  it.each(["قطار", "пингвин", "企鹅", "qxzvkw"])("SRCH-2 “%s”, which nobody wrote, finds nothing", async (query) => {
    expect(await complete(search, query)).toEqual({ hits: [], total: 0, warnings: [] });
  });

  it.each(["date", "looks", "took", "wait lock", "hair"])(
    "SRCH-2 “%s”, which all know, is no slip of the finger",
    async (query) => {
      const { hits } = await complete(search, { query, explain: true });
      const words = query.split(" ");
      const found = hits.flatMap(({ explanation }) => explanation?.terms ?? []);
      expect(found.filter(({ term }) => !words.includes(term))).toEqual([]);
    },
  );

  it("SRCH-4 recall gives the note that was asked for, whatever the language", async () => {
    for (const [query, path] of firsts.slice(0, 7)) {
      expect((await search.recall({ query })).items[0]?.path, query).toBe(path);
    }
  });
});
