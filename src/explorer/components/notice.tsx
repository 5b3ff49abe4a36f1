import type { ComponentChildren } from 'preact';

import type { Refusal } from '../api/errors.ts';
import { Icon } from './icon.tsx';

/** That there is nothing, and what would change that. */
export function Empty({
  title,
  children,
}: {
  readonly title: string;
  readonly children?: ComponentChildren;
}) {
  return (
    <div class="empty">
      <p class="empty-title">{title}</p>
      {children}
    </div>
  );
}

/** What is read takes its place in grey until it is there. */
export function Skeleton({ lines = 3 }: { readonly lines?: number }) {
  return (
    <div class="skeleton" role="status">
      <span class="sr-only">Loading</span>
      {Array.from({ length: lines }, (_, i) => (
        <span class="skeleton-line" key={i} />
      ))}
    </div>
  );
}

/** Why something was refused, with what the operator needs to look it up. */
export function ErrorNotice({ refusal, retry }: { readonly refusal: Refusal; readonly retry?: () => void }) {
  const { code, message, field, requestId } = refusal;
  return (
    <div class="notice notice-bad" role="alert">
      <Icon name="warning" />
      <div class="notice-text">
        <p>{message}</p>
        <p class="notice-more">
          <code>{code}</code>
          {field !== null && (
            <>
              {' '}
              · field <code>{field}</code>
            </>
          )}
          {requestId !== null && (
            <>
              {' '}
              · request <code>{requestId}</code>
            </>
          )}
        </p>
        {retry && (
          <button type="button" class="button" onClick={retry}>
            Try again
          </button>
        )}
      </div>
    </div>
  );
}

/** What is worth knowing and no fault. */
export function Note({ children }: { readonly children: ComponentChildren }) {
  return (
    <div class="notice notice-calm">
      <Icon name="info" />
      <div class="notice-text">{children}</div>
    </div>
  );
}
