// `/letters`: the inbox. Opening a letter marks it as read; the count in the header follows.
import { LETTER_CALLS, type Letter, type LetterPage as Page } from "@clockwork/messaging/letters/contract";
import { Button } from "@clockwork/ui/button";
import { Card } from "@clockwork/ui/card";
import { Icon } from "@clockwork/ui/icon";
import { useEffect, useState } from "react";
import { SiteLink } from "#boot/site-link.tsx";
import { useGlobal } from "#boot/state.ts";
import { useCalls } from "#session/auth-context.ts";
import { AccountFrame } from "#shell/account-frame.tsx";
import { Minute } from "#shell/moment.tsx";
import { useAccountText } from "#words/account-text.ts";

function useLetters(first: Page | null) {
  const calls = useCalls();
  const unread = useGlobal((state) => state.unreadLetters);
  const [pages, setPages] = useState<readonly Page[]>(first === null ? [] : [first]);
  const [read, setRead] = useState<ReadonlySet<number>>(new Set());
  const letters = pages.flatMap((page) => page.letters);
  const before = pages.at(-1)?.nextBefore ?? null;
  const shownUnread = letters.filter((letter) => !letter.isRead && !read.has(letter.id)).length;
  const grown = unread > shownUnread && before === null;
  // A letter that came while the page is open is fetched when the count changes.
  useEffect(() => {
    if (!grown) return;
    void calls()
      .then((request) => request.call(LETTER_CALLS.list, {}))
      .then((answer) => answer.ok && setPages([answer.data]));
  }, [grown, calls]);
  const mark = async (ids?: readonly number[]) => {
    setRead(new Set([...read, ...(ids ?? letters.map(({ id }) => id))]));
    await (await calls()).call(LETTER_CALLS.read, { ids: ids && [...ids] });
  };
  const more = async () => {
    if (before === null) return;
    const answer = await (await calls()).call(LETTER_CALLS.list, { before });
    if (answer.ok) setPages([...pages, answer.data]);
  };
  return { letters, before, unread, isRead: (letter: Letter) => letter.isRead || read.has(letter.id), mark, more };
}

export function LettersPage({ first }: { readonly first: Page | null }) {
  const text = useAccountText();
  const { letters, before, unread, isRead, mark, more } = useLetters(first);
  return (
    <AccountFrame
      title={text("letters.title")}
      lead={unread > 0 ? text("letters.unread", { count: unread }) : text("letters.allRead")}
      aside={
        unread > 0 && (
          <Button size={36} onPress={() => void mark()}>
            {text("letters.readAll")}
          </Button>
        )
      }
    >
      <Card flush className="overflow-hidden">
        {letters.length === 0 ? (
          <p className="px-6 py-12 text-center text-muted">{text(first === null ? "label.failed" : "letters.empty")}</p>
        ) : (
          <ul>
            {letters.map((letter) => (
              <LetterRow
                key={letter.id}
                letter={letter}
                isRead={isRead(letter)}
                onRead={() => void mark([letter.id])}
              />
            ))}
          </ul>
        )}
      </Card>
      {before !== null && (
        <div className="mt-4 flex justify-center">
          <Button size={36} onPress={() => void more()}>
            {text("label.more")}
          </Button>
        </div>
      )}
    </AccountFrame>
  );
}

/** Another site's address is never followed. */
function isOwnPath(path: string | null): path is string {
  return path !== null && /^\/(?!\/)/.test(path);
}

interface LetterRowProps {
  readonly letter: Letter;
  readonly isRead: boolean;
  readonly onRead: () => void;
}

function LetterRow({ letter, isRead, onRead }: LetterRowProps) {
  const text = useAccountText();
  const [open, setOpen] = useState(false);
  const toggle = () => {
    setOpen(!open);
    if (!open && !isRead) onRead();
  };
  return (
    <li className="border-line border-b last:border-0">
      <button
        type="button"
        aria-expanded={open}
        onClick={toggle}
        className="flex min-h-14 w-full items-center gap-3 px-4 py-3 text-left hover:bg-hover sm:px-6"
      >
        <span
          aria-hidden="true"
          className={`size-2 shrink-0 rounded-full ${isRead ? "bg-transparent" : "bg-accent"}`}
        />
        <span className={`min-w-0 flex-1 text-ui ${isRead ? "" : "font-semibold"}`}>
          {letter.title}
          {!isRead && <span className="sr-only"> ({text("letters.new")})</span>}
        </span>
        <span className="figures shrink-0 text-label text-muted">
          <Minute at={letter.createdAtMs} />
        </span>
        <Icon name={open ? "chevron-up" : "chevron-down"} className="text-muted" />
      </button>
      {open && (
        <div className="px-4 pb-5 text-ui leading-6 sm:px-6 sm:pl-11">
          <p className="whitespace-pre-line">{letter.body}</p>
          {isOwnPath(letter.path) && (
            <SiteLink to={letter.path} className="mt-2 inline-block font-medium underline underline-offset-2">
              {text("letters.look")}
            </SiteLink>
          )}
        </div>
      )}
    </li>
  );
}
