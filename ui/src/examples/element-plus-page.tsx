// More of the component gallery: the parts that pages are put together from.

import { useState } from "react";
import { Accordion } from "../accordion.tsx";
import { Avatar } from "../avatar.tsx";
import { Breadcrumb } from "../breadcrumb.tsx";
import { Button } from "../button.tsx";
import { Card } from "../card.tsx";
import { Icon } from "../icon.tsx";
import { Wordmark } from "../mark.tsx";
import { CountBadge } from "../pill.tsx";
import { Popover } from "../popover.tsx";
import { FlowSteps } from "../progress.tsx";
import { Chips } from "../segmented.tsx";
import { Switch } from "../switch.tsx";
import { TextArea } from "../text-area.tsx";
import { Term } from "../tooltip.tsx";

/** A quiet box with a head; rows inside bring their own lines. */
export function Cards() {
  return (
    <Card title="Withdrawals" aside={<Button size={32}>Change</Button>} className="w-96 max-w-full">
      <div className="flex items-center justify-between border-line border-b py-2">
        Only to my address book <Switch defaultSelected aria-label="Only to my address book" />
      </div>
      <div className="figures flex justify-between pt-3">
        <Term text="What may leave the account in 24 hours">Daily limit</Term> 100,000 USDT
      </div>
    </Card>
  );
}

/** Where one is, and how far along. */
export function Places() {
  return (
    <div className="flex w-96 max-w-full flex-col gap-5">
      <Breadcrumb
        crumbs={[{ title: "Help", href: "#help" }, { title: "Security", href: "#security" }, { title: "Passkeys" }]}
      />
      <FlowSteps step={2} count={3} text="Step 2 of 3" />
    </div>
  );
}

const SECTORS = ["All", "Layer 1", "Layer 2", "DeFi", "Payments"].map((title) => ({ id: title, title }));

/** Loose filters; one is chosen. */
export function Filters() {
  const [sector, setSector] = useState("All");
  return <Chips label="Sector" segments={SECTORS} value={sector} onChange={setSector} />;
}

/** Works before scripts arrive. */
export function Questions() {
  return (
    <Accordion
      group="questions"
      openId="fees"
      items={[
        {
          id: "fees",
          title: "How are fees counted?",
          content: "From the amount received, cut to the asset’s precision.",
        },
        { id: "freeze", title: "Who can freeze my account?", content: "You, at once. Only support can lift it again." },
      ]}
    />
  );
}

/** A picture, two letters, or a rosette drawn from the name; a figure on an icon; the wordmark. */
export function Identity() {
  return (
    <div className="flex items-center gap-6">
      <Avatar name="Marcus Lind" />
      <Avatar name="Ada Okafor" size={48} />
      <Avatar name="Marcus Lind" letters="ML" />
      <span className="relative">
        <Icon name="mail" label="Letters" />
        <CountBadge count={3} label="3 unread" />
      </span>
      <Wordmark />
    </div>
  );
}

/** Content with its own controls beside what opened it. */
export function Panel() {
  const [note, setNote] = useState("");
  return (
    <Popover
      label="Note"
      trigger={
        <Button icon="edit" className="self-start">
          Add a note
        </Button>
      }
      className="w-80 p-4"
    >
      {(close) => (
        <div className="flex flex-col gap-3">
          <TextArea label="Note" value={note} onChange={setNote} help="Only you see it." />
          <Button kind="primary" onPress={close}>
            Save
          </Button>
        </div>
      )}
    </Popover>
  );
}
