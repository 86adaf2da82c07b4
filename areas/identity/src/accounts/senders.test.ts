// Mail through a real SMTP server and SMS through a real HTTP gateway, both on loopback.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { SMTPServer } from "smtp-server";
import { afterEach, expect, test } from "vitest";
import { smsSender, smtpSender } from "./senders.ts";

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

interface Received {
  from: string;
  to: string[];
  text: string;
}

async function serveSmtp(): Promise<{ port: number; mails: Received[]; user: () => string }> {
  const mails: Received[] = [];
  let user = "";
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    allowInsecureAuth: true,
    onAuth(auth, _session, done) {
      user = `${auth.username}:${auth.password}`;
      done(null, { user: auth.username });
    },
    onData(stream, session, done) {
      let text = "";
      stream.setEncoding("utf8");
      stream.on("data", (part: string) => {
        text += part;
      });
      stream.on("end", () => {
        const { mailFrom, rcptTo } = session.envelope;
        mails.push({
          from: mailFrom === false ? "" : mailFrom.address,
          to: rcptTo.map(({ address }) => address),
          text,
        });
        done();
      });
    },
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", () => done()));
  closing.push(() => server.close());
  const { port } = server.server.address() as AddressInfo;
  return { port, mails, user: () => user };
}

test("[AUTH-5] a mail leaves over SMTP with its sender, receiver, subject and text", async () => {
  const { port, mails, user } = await serveSmtp();
  const sender = smtpSender(`smtp://me:secret@127.0.0.1:${port}`, "Clockwork <no-reply@clockwork.example>");
  closing.push(() => sender.close());
  await sender.send({ to: "jo@example.com", subject: "Your code", text: "Your code is 123456" });
  expect(user()).toBe("me:secret");
  expect(mails).toHaveLength(1);
  expect(mails[0]).toMatchObject({ from: "no-reply@clockwork.example", to: ["jo@example.com"] });
  expect(mails[0]?.text).toMatch(/^Subject: Your code\r?$/m);
  expect(mails[0]?.text).toContain("Your code is 123456");
});

test("[USR-7] a mail to many names its list and the unsubscribe link, in the headers of mail programs", async () => {
  const { port, mails } = await serveSmtp();
  const sender = smtpSender(`smtp://127.0.0.1:${port}`, "Clockwork <no-reply@clockwork.example>");
  closing.push(() => sender.close());
  const url = "https://clockwork.example/api/v1/common/marketing/one-click?token=abc";
  await sender.send({ to: "jo@example.com", subject: "s", text: "t", id: "broadcast-1.ab", unsubscribeUrl: url });
  const unfolded = mails[0]?.text.replace(/\r?\n\s+/g, " ") ?? "";
  expect(unfolded).toMatch(/^Message-ID: <broadcast-1\.ab@clockwork\.example>\r?$/m);
  expect(unfolded).toMatch(new RegExp(`^List-Unsubscribe: <${url.replace(/[.?]/g, "\\$&")}>\r?$`, "m"));
  expect(unfolded).toMatch(/^List-Unsubscribe-Post: List-Unsubscribe=One-Click\r?$/m);
});

test("[AUTH-5] a receiver cannot smuggle in further receivers or headers", async () => {
  const { port, mails } = await serveSmtp();
  const sender = smtpSender(`smtp://127.0.0.1:${port}`, "no-reply@clockwork.example");
  closing.push(() => sender.close());
  await sender.send({ to: "jo@example.com", subject: "a\r\nBcc: eve@example.com", text: "x" });
  expect(mails[0]?.to).toEqual(["jo@example.com"]);
  expect(mails[0]?.text).not.toMatch(/^Bcc:/m);
});

test("[AUTH-5] an unavailable mail server is an error, not silence", async () => {
  const sender = smtpSender("smtp://127.0.0.1:1", "no-reply@clockwork.example");
  closing.push(() => sender.close());
  await expect(sender.send({ to: "jo@example.com", subject: "s", text: "t" })).rejects.toThrow();
});

test("[AUTH-5] an SMS is posted to the gateway as JSON; a refusal is an error", async () => {
  const received: { body: unknown; authorization: string | undefined }[] = [];
  let status = 202;
  const server = createServer((request, response) => {
    let text = "";
    request.on("data", (part) => {
      text += part;
    });
    request.on("end", () => {
      received.push({ body: JSON.parse(text), authorization: request.headers.authorization });
      response.writeHead(status).end();
    });
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  closing.push(() => server.close());
  const { port } = server.address() as AddressInfo;
  const sender = smsSender(`http://me:secret@127.0.0.1:${port}/sms`);
  await sender.send({ to: "442079460958", subject: "", text: "Your code is 123456" });
  expect(received).toEqual([
    {
      body: { to: "442079460958", text: "Your code is 123456" },
      authorization: `Basic ${Buffer.from("me:secret").toString("base64")}`,
    },
  ]);
  status = 500;
  await expect(sender.send({ to: "1", subject: "", text: "x" })).rejects.toThrow("500");
});
