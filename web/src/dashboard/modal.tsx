import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';

/** The browser's own dialogue: it keeps the focus inside, closes by Escape and gives the focus back. */
export function Modal({
  title,
  onClose,
  narrow = false,
  children,
}: {
  title: string;
  onClose: () => void;
  narrow?: boolean;
  children: ComponentChildren;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const element = dialog.current;
    const before = document.activeElement;
    element?.showModal();
    return () => {
      element?.close();
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes it; the click is on the backdrop
    <dialog
      ref={dialog}
      class={narrow ? 'modal modal-narrow' : 'modal'}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onClick={(event) => {
        if (event.target === dialog.current) onClose();
      }}
    >
      <div class="modal-body">
        <header class="modal-head">
          <h2 id={id} dir="auto">
            {title}
          </h2>
          <button type="button" class="button" onClick={onClose}>
            Close
          </button>
        </header>
        {children}
      </div>
    </dialog>
  );
}
