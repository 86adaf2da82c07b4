// The doctor's looks at outside providers: mail with a real handshake, and whether each other answers as it should.

import { readProvider } from "@clockwork/host/settings/openid-provider";
import { probeSmtp } from "@clockwork/identity/accounts/senders";
import { type Check, type Finding, green, type Patient, reasonOf, red, yellow } from "./finding.ts";

const NEAR = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/;

export const checkMail: Check = async ({ config: { smtpUrl, mailFrom }, mailTo, outside }) => {
  if (smtpUrl === undefined) return [];
  const { hostname, protocol } = new URL(smtpUrl);
  const found: Finding[] = [];
  const isSealed = protocol === "smtps:" || !NEAR.test(hostname);
  try {
    await probeSmtp(smtpUrl, mailFrom, isSealed, mailTo);
    found.push(
      green("mail", mailTo === undefined ? `${hostname} takes mails` : `${hostname} has taken a mail to ${mailTo}`),
    );
  } catch (error) {
    found.push(judgeMail(error, hostname));
  }
  const domain = /@([^\s>]+)>?$/.exec(mailFrom)?.[1] ?? "";
  const [spf, dmarc] = await Promise.all([outside.texts(domain), outside.texts(`_dmarc.${domain}`)]);
  if (!spf.some((text) => text.startsWith("v=spf1")))
    found.push(
      yellow(
        "mail.spf",
        `${domain} has no SPF record: codes land among spam`,
        `add a TXT record for ${domain}: v=spf1 mx a:${hostname} -all`,
      ),
    );
  if (!dmarc.some((text) => text.startsWith("v=DMARC1")))
    found.push(
      yellow(
        "mail.dmarc",
        `${domain} has no DMARC record: anybody can write in its name`,
        `add a TXT record for _dmarc.${domain}: v=DMARC1; p=quarantine`,
      ),
    );
  return found;
};

function judgeMail(error: unknown, host: string): Finding {
  const { code } = error as { readonly code?: string };
  const reason = reasonOf(error);
  if (code === "EAUTH")
    return red("mail.login", `${host} refuses the name or the password (${reason})`, "correct them in CW_SMTP_URL");
  if (code === "EENVELOPE")
    return red(
      "mail.sender",
      `${host} refuses the sender or the receiver (${reason})`,
      "use an address in CW_MAIL_FROM that it may send for",
    );
  if (code === "ETLS" || /certificate|self-signed|TLS|SSL/i.test(reason))
    return red(
      "mail.plain",
      `the way to ${host} is not safe: ${reason}`,
      "use smtps://, or a server with STARTTLS and a valid certificate",
    );
  return red(
    "mail.down",
    `${host} does not take mails (${reason})`,
    "compare host and port of CW_SMTP_URL, and the firewall",
  );
}

/** Any answer over a valid connection: a gateway refuses an empty request, and sends nothing. */
async function probe({ outside }: Patient, name: string, address: string | undefined): Promise<readonly Finding[]> {
  if (address === undefined || address === "") return [];
  const code = name.replace(/^CW_/, "").toLowerCase();
  try {
    const { username, password, origin, pathname, search } = new URL(address);
    const credentials = Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`).toString(
      "base64",
    );
    const reply = await outside.fetch(`${origin}${pathname}${search}`, {
      method: "OPTIONS",
      ...(username === "" ? {} : { headers: { authorization: `Basic ${credentials}` } }),
    });
    await reply.body?.cancel();
    if (reply.status === 401 || reply.status === 403)
      return [
        red(
          `provider.${code}.login`,
          `${name}: ${origin} refuses the credentials (${reply.status})`,
          `correct them in ${name}`,
        ),
      ];
    if (reply.status >= 500)
      return [red(`provider.${code}.fails`, `${name}: ${origin} fails (${reply.status})`, "ask the provider")];
    return [green(`provider.${code}`, `${origin} answers`)];
  } catch (error) {
    return [
      red(
        `provider.${code}.down`,
        `${name} does not answer (${reasonOf(error)})`,
        `compare ${name} with the provider's documents, and the firewall`,
      ),
    ];
  }
}

export const checkProviders: Check = async (patient) => {
  const { smsUrl, pushUrl, livenessUrl, translateUrl } = patient.config;
  const found = await Promise.all([
    probe(patient, "CW_SMS_URL", smsUrl),
    probe(patient, "CW_PUSH_URL", pushUrl),
    probe(patient, "CW_LIVENESS_URL", livenessUrl),
    probe(patient, "CW_TRANSLATE_URL", translateUrl),
  ]);
  const missing =
    smsUrl === undefined
      ? [yellow("provider.sms_url.none", "no SMS leaves: users cannot sign up by phone", "set CW_SMS_URL")]
      : [];
  return [...missing, ...found.flat()];
};

export const checkRates: Check = async ({ config: { ratesUrl }, outside }) => {
  if (ratesUrl === undefined) return [];
  const remedy = "it answers {rates: {EUR: 0.86, …}} per US dollar";
  try {
    const reply = await outside.fetch(ratesUrl);
    const { rates } = (await reply.json()) as { readonly rates?: Readonly<Record<string, unknown>> };
    const euro = Number(rates?.EUR);
    if (reply.ok && euro > 0.2 && euro < 5) return [green("rates", `one dollar is ${euro} EUR`)];
    return [red("rates.form", `CW_RATES_URL answers without a rate of the euro (${reply.status})`, remedy)];
  } catch (error) {
    return [red("rates.down", `CW_RATES_URL gives no rates (${reasonOf(error)})`, remedy)];
  }
};

export const checkOpenid: Check = async ({ config: { openid }, outside }) => {
  const found = openid.map(async (text): Promise<readonly Finding[]> => {
    const provider = readProvider(text);
    if (provider === undefined) return [];
    const { name, issuer } = provider;
    const remedy = "compare the issuer in CW_OPENID_PROVIDERS with the provider's documents";
    try {
      const reply = await outside.fetch(`${issuer.replace(/\/$/, "")}/.well-known/openid-configuration`);
      const { issuer: own } = (await reply.json()) as { readonly issuer?: string };
      if (own?.replace(/\/$/, "") === issuer.replace(/\/$/, "")) return [green("openid", `${name} answers`)];
      return [red("openid.issuer", `${name} calls itself ${own ?? "nothing"}, not ${issuer}`, remedy)];
    } catch (error) {
      return [red("openid.down", `${name} cannot be discovered at ${issuer} (${reasonOf(error)})`, remedy)];
    }
  });
  return (await Promise.all(found)).flat();
};
