import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';

/**
 * A dialog before the page, which waits behind it. Without `close` there is no way around it. When it goes, the focus returns to what
 * opened it, or to the view where that has gone too.
 */
export function Dialog({
  title,
  close,
  children,
}: {
  readonly title: string;
  readonly close?: () => void;
  readonly children: ComponentChildren;
}) {
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const { current: shown } = dialog;
    const { activeElement: opener } = document;
    shown?.showModal();
    return () => {
      // This gives the focus back to what opened it, which its removal alone would not.
      shown?.close();
      queueMicrotask(() => {
        if (opener?.isConnected === false) document.getElementById('main')?.focus({ preventScroll: true });
      });
    };
  }, []);
  return (
    <dialog
      ref={dialog}
      class="dialog"
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        close?.();
      }}
    >
      <h2 id={id}>{title}</h2>
      {children}
    </dialog>
  );
}
