// Public e-mail providers: the first 23 complete what a visitor types, all of them mark an address as personal.
// A list of facts only; it never decides whether an address is accepted.

/** Offered as completions while typing. */
export const COMPLETION_MAIL_DOMAINS: readonly string[] = [
  "gmail.com",
  "outlook.com",
  "hotmail.com",
  "yahoo.com",
  "icloud.com",
  "proton.me",
  "protonmail.com",
  "qq.com",
  "163.com",
  "126.com",
  "sina.com",
  "foxmail.com",
  "naver.com",
  "daum.net",
  "yahoo.co.jp",
  "mail.ru",
  "yandex.ru",
  "ukr.net",
  "orange.fr",
  "gmx.com",
  "live.com",
  "aol.com",
  "zoho.com",
];

/** Any of these is 'personal' mail; every other domain is treated as a company's. */
export const PUBLIC_MAIL_DOMAINS: readonly string[] = [
  ...COMPLETION_MAIL_DOMAINS,
  "googlemail.com",
  "outlook.fr",
  "outlook.es",
  "outlook.jp",
  "outlook.kr",
  "hotmail.fr",
  "hotmail.es",
  "hotmail.co.uk",
  "hotmail.it",
  "live.fr",
  "live.co.uk",
  "live.cn",
  "msn.com",
  "yahoo.fr",
  "yahoo.es",
  "yahoo.co.uk",
  "yahoo.com.br",
  "yahoo.com.tw",
  "yahoo.com.hk",
  "yahoo.com.vn",
  "yahoo.co.in",
  "yahoo.it",
  "yahoo.de",
  "ymail.com",
  "rocketmail.com",
  "me.com",
  "mac.com",
  "pm.me",
  "139.com",
  "189.cn",
  "yeah.net",
  "vip.qq.com",
  "vip.163.com",
  "sina.cn",
  "sohu.com",
  "aliyun.com",
  "tom.com",
  "21cn.com",
  "hanmail.net",
  "kakao.com",
  "nate.com",
  "docomo.ne.jp",
  "ezweb.ne.jp",
  "softbank.ne.jp",
  "bk.ru",
  "inbox.ru",
  "list.ru",
  "rambler.ru",
  "yandex.com",
  "ya.ru",
  "i.ua",
  "meta.ua",
  "free.fr",
  "laposte.net",
  "sfr.fr",
  "wanadoo.fr",
  "sapo.pt",
  "gmx.de",
  "gmx.net",
  "web.de",
  "t-online.de",
  "libero.it",
  "mynet.com",
  "fastmail.com",
  "tutanota.com",
  "hey.com",
  "mail.com",
];

/** "ann@g" → ["ann@gmail.com", "ann@gmx.com"]; empty until there is a name. */
export function completeEmail(typed: string, countMax = 6): string[] {
  const text = typed.trim();
  const at = text.indexOf("@");
  const name = at === -1 ? text : text.slice(0, at);
  const tail = at === -1 ? "" : text.slice(at + 1).toLowerCase();
  if (name === "") return [];
  return COMPLETION_MAIL_DOMAINS.filter((domain) => domain.startsWith(tail) && domain !== tail)
    .slice(0, countMax)
    .map((domain) => `${name}@${domain}`);
}

export function isPersonalEmail(email: string): boolean {
  const text = email.trim().toLowerCase();
  return PUBLIC_MAIL_DOMAINS.includes(text.slice(text.lastIndexOf("@") + 1));
}
