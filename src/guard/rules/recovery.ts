import { isCounted } from "../counted.ts";
import { plausibilityOf } from "../plausible-value.ts";
import { knownByPlace, type Rule } from "../rule.ts";
import { made } from "./made.ts";

const isPassword = (value: string) => plausibilityOf(value, { kind: "password", literal: true }) !== "none";
/** `NNNNN-NNNNN`, `1111-2222`: groups that stand for any. */
const hasVariety = (value: string) => new Set(value.replaceAll("-", "")).size >= 5;

const groups = (size: number, count: number, alphabet: "capitals" | "digits") =>
  Array.from({ length: count }, (_, at) => made(size + at, alphabet).slice(at)).join("-");

/** What opens a disk, an account or a programme when its password is lost, or without one. */
export const recoveryRules: readonly Rule[] = [
  knownByPlace({
    id: "recovery-codes",
    title: "codes that let somebody in without the second factor",
    anchors: [
      "recovery code",
      "backup code",
      "scratch code",
      "rescue code",
      "emergency code",
      "recovery-code",
      "backup-code",
      "recovery_code",
      "backup_code",
      "backupcode",
      "wiederherstellungscode",
      "backup-codes",
      "codes de secours",
      "codes de récupération",
      "códigos de recuperación",
      "códigos de respaldo",
      "códigos de recuperação",
      "códigos de backup",
      "резервные коды",
      "коды восстановления",
      "备用验证码",
      "恢复代码",
      "备份码",
      "恢复码",
      "バックアップコード",
      "リカバリーコード",
      "복구 코드",
      "백업 코드",
      "kurtarma kod",
      "yedek kod",
    ],
    pattern:
      /(?:(?:recovery|backup|scratch|rescue|emergency)[ _-]?codes?|wiederherstellungscodes?|codes de (?:secours|récupération)|códigos de (?:recuperación|respaldo|recuperação|backup)|резервные коды|коды восстановления|备用验证码|恢复代码|备份码|恢复码|(?:バックアップ|リカバリー)コード|(?:복구|백업) 코드|(?:kurtarma|yedek) kod\p{L}{0,6})["'`*\])]{0,3}[^\n:=：]{0,40}[:=：]?[\s*"'`[-]{0,8}(?<![A-Za-z0-9#])((?:[A-Za-z0-9]{4,6}-[A-Za-z0-9]{4,6}(?:-[A-Za-z0-9]{4,6}){0,4}|[0-9]{4}[ ][0-9]{4}(?=[ ]?[,;\n]|$)|[0-9]{8}|[0-9]{6}(?=[ ]?[,;][ ]?[0-9]{6})|[A-Za-z0-9]{8,12}(?![A-Za-z0-9])))/iuy,
    // Two groups of digits read as a range or a date, unless they are longer than those, or more of them follow.
    accepts: (value, text, start) => {
      if (!hasVariety(value) && !/^[0-9]{6}$/.test(value)) return false;
      if (isCounted(text.slice(Math.max(0, start - 56), start))) return false;
      const rest = text.slice(start + value.length, start + value.length + 24);
      if (/^[0-9]{4} [0-9]{4}$/.test(value) && /^\.?\s{0,3}(?:\n|$)/.test(rest)) return true;
      if (/^[0-9]{4}[- ][0-9]{4}$/.test(value)) return /^[ ]?[,;\n][\s*-]{0,6}[0-9]{4}[- ][0-9]{4}/.test(rest);
      return /^[0-9]{5,6}-[0-9]{5}|^[0-9]{6}$/.test(value) || (/[0-9]/.test(value) && isPassword(value));
    },
    matches: [
      `recovery codes: ${made(5)}-${made(5, "hex")} ${made(5, "hex")}-${made(5)}`,
      `backup codes:\n- ${made(8, "digits")}`,
      `backup codes: ${made(5, "digits")}-${made(5, "digits")}`,
      `Google backup codes: ${"9707"} 8962, ${"1708"} 1152, 9385 0524`,
      `Резервные коды: ${made(8, "digits")}, ${made(8, "hex")}`,
      `Codes de secours : ${made(4, "digits")}-${made(4, "hex")}`,
    ],
    passes: [
      "recovery codes: printed, in the safe",
      "backup code path is covered by tests",
      "Backup codes are shown once.",
      "backup codes: 1234-5678 is how they look",
      "recovery codes: XXXXX-XXXXX",
      "Backup codes come as ten codes of the form 12345678.".replace("12345678", "nnnnnnnn"),
    ],
  }),
  knownByPlace({
    id: "bitlocker-key",
    title: "a recovery key of BitLocker",
    anchors: [
      "bitlocker",
      "recovery key",
      "recovery password",
      "recoverypassword",
      "wiederherstellungsschl",
      "ключ восстановления",
      "clé de récupération",
      "clave de recuperación",
      "chave de recuperação",
      "恢复密钥",
      "回復キー",
      "복구 키",
      "kurtarma anahtar",
    ],
    pattern:
      /[^\n]{4,64}?(?<![0-9A-Za-z-])([0-7][0-9]{5}-[0-7][0-9]{5}-[0-7][0-9]{5}-[0-7][0-9]{5}-[0-7][0-9]{5}-[0-7][0-9]{5}-[0-7][0-9]{5}-[0-7][0-9]{5})/y,
    accepts: hasVariety,
    matches: [
      `BitLocker recovery key: ${groups(6, 8, "digits").replaceAll(/[89](?=[0-9]{5})/g, "5")}`,
      `Ключ восстановления: ${groups(6, 8, "digits").replaceAll(/[89](?=[0-9]{5})/g, "5")}`,
    ],
    passes: ["BitLocker asks for 111111-222222-333333 and so on", `recovery key: ${"111111-".repeat(7)}111111`],
  }),
  knownByPlace({
    id: "recovery-key",
    title: "a recovery key of a disk or an account",
    anchors: ["recovery key", "recovery-key", "recoverykey", "filevault", "emergency kit", "wiederherstellungsschl"],
    pattern:
      /(?:recovery[ -]?key|filevault|emergency kit|wiederherstellungsschl.{1,3}ssel)["'`*]{0,3}[^\n]{0,40}?[ \t:="'`]{1,4}((?:RK-)?[A-Z0-9]{4,8}(?:-[A-Z0-9]{4,8}){3}(?:-[A-Z0-9]{4,8}){0,4}|[A-Z0-9]{26,34}|(?:[A-Za-z0-9]{4} ){4}(?:[A-Za-z0-9]{4} ){2,8}[A-Za-z0-9]{4})/iy,
    accepts: (value) =>
      /[0-9]/.test(value) &&
      (/^(?:RK-)?[A-Z0-9-]{16}/.test(value) || value.includes(" ")) &&
      hasVariety(value) &&
      !/^[0-9A-F]{8}-[0-9A-F]{4}-[0-9A-F]{4}-/.test(value) &&
      !/ (?:key|with|from|that|this|when|code) /.test(value),
    matches: [
      `FileVault recovery key ${groups(4, 6, "capitals")}`,
      `Apple recovery key: RK-${groups(4, 6, "capitals")}`,
      `The recovery key of the vault is ${made(32, "capitals")}`,
    ],
    passes: [
      "FileVault recovery key: XXXX-XXXX-XXXX-XXXX-XXXX-XXXX",
      "The recovery key is escrowed in the MDM.",
      `recovery key id ${made(8, "hex").toUpperCase()}-4B1C-4D2E-9F3A-${made(12, "hex").toUpperCase()}`,
    ],
  }),
  knownByPlace({
    id: "product-key",
    title: "a product or licence key",
    anchors: [
      "product key",
      "product-key",
      "productkey",
      "productid",
      "license key",
      "licence key",
      "license:",
      "license code",
      "licence:",
      "serial",
      "activation key",
      "activation code",
      "cd key",
      "cd-key",
      "slmgr",
      "windows key",
      "office key",
      "volume key",
      "mak key",
      "kms key",
      "produktschl",
      "lizenzschl",
      "clé de produit",
      "clé de licence",
      "clave de producto",
      "clave del producto",
      "clave de licencia",
      "chave do produto",
      "chave de licença",
      "chave de produto",
      "лицензионный ключ",
      "ключ продукта",
      "ключ активации",
      "产品密钥",
      "激活码",
      "プロダクトキー",
      "ライセンスキー",
      "제품 키",
      "라이선스 키",
      "ürün anahtar",
      "lisans anahtar",
    ],
    // The anchor is all that the place needs; what stands between is short. Five groups of five are Windows and Office.
    pattern:
      /[^\n]{4,56}?["'`\s:：(→-]((?:[A-Z0-9]{5}-){4}[A-Z0-9]{5}|(?:[A-Z0-9]{4}-){3}(?:[A-Z0-9]{4}-){0,5}[A-Z0-9]{4}|(?:[A-Z0-9]{6}-){3}(?:[A-Z0-9]{6}-){0,3}[A-Z0-9]{6})/y,
    accepts: (value) =>
      /[A-Z]/.test(value) && /[0-9]/.test(value) && hasVariety(value) && !/(?:^|-)X{4,6}(?:-|$)/.test(value),
    matches: [
      `Product key: ${groups(5, 5, "capitals")}`,
      `slmgr /ipk ${groups(5, 5, "capitals")}`,
      `Лицензионный ключ: ${groups(4, 5, "capitals")}`,
      `License key of the IDE is ${groups(4, 4, "capitals")}`,
    ],
    passes: [
      "Product key: XXXXX-XXXXX-XXXXX-XXXXX-XXXXX",
      "The serial console is on ttyS0.",
      "serial number 0000-1111-2222-3333",
      "license: MIT",
      "The license key is in the vault.",
    ],
  }),
];
