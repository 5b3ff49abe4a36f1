import { connection, live } from '../api/connection.ts';
import { isOpen, session, signOut } from '../api/session.ts';
import { Badge } from '../components/badge.tsx';
import { Icon } from '../components/icon.tsx';
import { AsOfChooser } from './as-of-chooser.tsx';
import { linkTo } from './location.ts';
import { ScopeChooser } from './scope-chooser.tsx';
import { nextTheme, theme } from './theme.ts';

const THEME_ICONS = { auto: 'half', light: 'sun', dark: 'moon' } as const;

/** What is looked at, whether the service is there, and who looks. */
export function TopBar() {
  return (
    <header class="top-bar">
      <a class="brand" href={linkTo('home')}>
        <svg viewBox="0 0 32 32" aria-hidden="true" focusable="false">
          <path d="M16 3 3 9.5 16 16l13-6.5z" />
          <path d="m5.5 14.5-2.5 1.3L16 22.3l13-6.5-2.5-1.3L16 19.7z" />
          <path d="m5.5 20.800-2.5 1.3 13 6.5 13-6.5-2.5-1.3L16 26z" />
        </svg>
        Strata
      </a>
      <ScopeChooser />
      <AsOfChooser />
      <div class="top-bar-end">
        <ConnectionState />
        <button
          type="button"
          class="button button-quiet"
          onClick={nextTheme}
          title="Light, dark, or as the system is"
        >
          <Icon name={THEME_ICONS[theme.value]} />
          <span class="sr-only">Colours: </span>
          <span class="wide-only">{theme.value}</span>
        </button>
        <Caller />
      </div>
    </header>
  );
}

function ConnectionState() {
  if (connection.value.is === 'away' || live.value === false)
    return (
      <Badge icon="warning" tone="bad">
        away
      </Badge>
    );
  return (
    <Badge icon="check" tone="good">
      {live.value === true ? 'live' : 'connected'}
    </Badge>
  );
}

function Caller() {
  const current = session.value;
  if (current.is !== 'in' && current.is !== 'ended') return null;
  return (
    <span class="caller">
      <span class="caller-name wide-only" title={`tenant ${current.who.tenantId}, tier ${current.who.tier}`}>
        {current.who.caller}
      </span>
      {!isOpen(current.who) && (
        <button type="button" class="button button-quiet" onClick={signOut}>
          Sign out
        </button>
      )}
    </span>
  );
}
