import { Icon, type IconName } from './icon.tsx';

/** What a badge says, beside its words: how good or bad it is. */
export type Tone = 'good' | 'bad' | 'warn' | 'calm';

/** A word with a drawing; the colour only repeats them. */
export function Badge({
  icon,
  tone,
  children,
}: {
  readonly icon: IconName;
  readonly tone: Tone;
  readonly children: string;
}) {
  return (
    <span class={`badge badge-${tone}`}>
      <Icon name={icon} />
      {children}
    </span>
  );
}

const STANCES: Readonly<Record<string, readonly [IconName, Tone]>> = {
  supported: ['check', 'good'],
  contradicted: ['cross', 'bad'],
  uncertain: ['question', 'warn'],
  deprecated: ['dash', 'calm'],
};

/** Where a belief stands. */
export function StanceBadge({ stance }: { readonly stance: string }) {
  const [icon, tone] = STANCES[stance] ?? ['question', 'calm'];
  return (
    <Badge icon={icon} tone={tone}>
      {stance}
    </Badge>
  );
}

const LANES: Readonly<Record<string, readonly [IconName, Tone]>> = {
  up: ['check', 'good'],
  down: ['cross', 'bad'],
  off: ['dash', 'calm'],
  unknown: ['question', 'warn'],
};

/** How a part of the service is. */
export function StatusBadge({ status }: { readonly status: string }) {
  const [icon, tone] = LANES[status] ?? ['question', 'calm'];
  return (
    <Badge icon={icon} tone={tone}>
      {status}
    </Badge>
  );
}
