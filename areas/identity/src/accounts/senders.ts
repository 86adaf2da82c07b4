// Outgoing messages: mail over SMTP, SMS over a gateway that takes JSON. Contains no texts.
import type { MessageSender } from "@clockwork/messaging/messages/needs";
import { createTransport } from "nodemailer";

const SEND_TIMEOUT_MS = 15_000;

export function smtpSender(url: string, from: string): MessageSender & { close(): void } {
  const transport = createTransport(url, {
    from,
    pool: true,
    maxConnections: 2,
    connectionTimeout: SEND_TIMEOUT_MS,
    greetingTimeout: SEND_TIMEOUT_MS,
    socketTimeout: SEND_TIMEOUT_MS,
    // A text that names a file or an address must remain text.
    disableFileAccess: true,
    disableUrlAccess: true,
  } as object);
  const domain = /@([\w.-]+)>?$/.exec(from)?.[1] ?? "localhost";
  return {
    async send({ to, subject, text, id, unsubscribeUrl }) {
      await transport.sendMail({
        from,
        to: { name: "", address: to },
        subject,
        text,
        ...(id === undefined ? {} : { messageId: `<${id}@${domain}>` }),
        ...(unsubscribeUrl === undefined ? {} : { headers: unsubscribeHeaders(unsubscribeUrl) }),
      });
    },
    close: () => transport.close(),
  };
}

/**
 * Speaks with the mail server as the sender would, up to the sign-in, and sends a mail where an address is named. `isSealed`
 * requires TLS, with a certificate that is valid.
 */
export async function probeSmtp(url: string, from: string, isSealed: boolean, to?: string): Promise<void> {
  const transport = createTransport(url, {
    requireTLS: isSealed,
    ignoreTLS: !isSealed,
    connectionTimeout: SEND_TIMEOUT_MS,
    greetingTimeout: SEND_TIMEOUT_MS,
    socketTimeout: SEND_TIMEOUT_MS,
  } as object);
  try {
    await transport.verify();
    const subject = "A mail from clockwork doctor";
    if (to !== undefined)
      await transport.sendMail({ from, to, subject, text: "Mails from this exchange arrive here.\n" });
  } finally {
    transport.close();
  }
}

/** RFC 8058: mail programs offer to leave, and do it by one POST. */
const unsubscribeHeaders = (url: string): Record<string, string> => ({
  "List-Unsubscribe": `<${url}>`,
  "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
});

export function smsSender(url: string): MessageSender {
  return jsonSender(url, "SMS", ({ to, text }) => ({ to, text }));
}

/** `to` is the phone's token as its system made it; a repetition has the id it had before. */
export function pushSender(url: string): MessageSender {
  return jsonSender(url, "push", ({ to, subject, text, id }) => ({ to, title: subject, text, id }));
}

type Sendable = Parameters<MessageSender["send"]>[0];

/** One POST per message; anything but a 2xx response is a failure to be retried. */
function jsonSender(url: string, what: string, describe: (message: Sendable) => object): MessageSender {
  return {
    async send(message) {
      const { username, password, origin, pathname, search } = new URL(url);
      const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
      const response = await fetch(`${origin}${pathname}${search}`, {
        method: "POST",
        redirect: "error",
        signal: AbortSignal.timeout(SEND_TIMEOUT_MS),
        headers: {
          "content-type": "application/json",
          ...(username === "" ? {} : { authorization: `Basic ${Buffer.from(credentials).toString("base64")}` }),
        },
        body: JSON.stringify(describe(message)),
      });
      await response.body?.cancel();
      if (!response.ok) throw new Error(`the ${what} gateway answered ${response.status}`);
    },
  };
}
