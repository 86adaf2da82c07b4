// Chooses the pictures that go with a form. They are sent with it, not before.
import { IconButton } from "@clockwork/ui/button";
import { buttonClass } from "@clockwork/ui/logic/button-style";
import { useRef } from "react";
import { usePublicText } from "#words/public-text.ts";

export interface PicturePickerProps {
  readonly pictures: readonly File[];
  readonly onChange: (pictures: readonly File[]) => void;
}

export function PicturePicker({ pictures, onChange }: PicturePickerProps) {
  const text = usePublicText();
  const input = useRef<HTMLInputElement>(null);
  const add = (files: FileList | null) => {
    onChange([...pictures, ...(files ?? [])]);
    // The same file may be chosen again after it was removed.
    if (input.current !== null) input.current.value = "";
  };
  return (
    <div>
      <label className={`${buttonClass({ size: 36 })} cursor-pointer focus-within:ring-2 focus-within:ring-accent`}>
        {text("public.form.pictures")}
        <input
          ref={input}
          type="file"
          multiple
          accept="image/jpeg,image/png,image/webp"
          className="sr-only"
          onChange={(event) => add(event.target.files)}
        />
      </label>
      <p className="mt-1 text-label text-muted">{text("public.form.pictures.note")}</p>
      <ul className="mt-2 grid gap-1">
        {pictures.map((file, at) => (
          <li key={`${file.name}-${file.lastModified}`} className="flex items-center gap-2">
            <span className="min-w-0 truncate">{file.name}</span>
            <IconButton
              icon="close"
              size={24}
              iconSize={14}
              label={text("public.form.remove", { name: file.name })}
              onPress={() => onChange(pictures.filter((_, other) => other !== at))}
            />
          </li>
        ))}
      </ul>
    </div>
  );
}
