// Comes before the IDE on its page: lends it the credential of the explorer, keeps the active tab in sight and says why a
// subscription ended.

/** Under which the explorer keeps the key or token of the tab: src/explorer/api/session.ts. */
const KEPT_AS = 'strata.credential';
/** What the IDE sends while nobody put a key into its environment: resolvers/ide/options.ts. */
const UNSET = 'Bearer <key>';
const ENDPOINT = `${location.origin}/graphql`;
const NOTICE_STYLE =
  'position: fixed; inset: auto 16px 16px; z-index: 10000; padding: 12px 16px; border-radius: 6px;' +
  'background: #3a1a18; color: #fff; font: 15px system-ui, sans-serif';
/** As graphql-ws closes a socket that was neither refused nor cut. */
const CLOSED_WELL = new Set([1000, 1001, 1005]);

function authorization() {
  const kept = sessionStorage.getItem(KEPT_AS);
  return kept === null ? UNSET : `Bearer ${kept}`;
}

/**
 * Says something at the foot of the page until it is closed or something else is said.
 * @param {string} text
 * @param {{ signIn?: boolean }} [more] Whether signing in helps.
 */
function tell(text, { signIn = false } = {}) {
  document.getElementById('strata-notice')?.remove();
  const notice = document.createElement('div');
  notice.id = 'strata-notice';
  notice.setAttribute('role', 'alert');
  notice.style.cssText = NOTICE_STYLE;
  notice.append(`${text} `);
  if (signIn) {
    const link = document.createElement('a');
    link.href = '/';
    link.textContent = 'Sign in';
    link.style.color = 'inherit';
    link.style.textDecoration = 'underline';
    // The IDE has no links of its own and keeps the browser from following any.
    link.addEventListener('click', () => {
      location.assign('/');
    });
    notice.append(link, ' and come back, or put a key into the environment. ');
  }
  const close = document.createElement('button');
  close.type = 'button';
  close.textContent = 'Close';
  close.style.color = '#000';
  close.addEventListener('click', () => {
    notice.remove();
  });
  notice.append(close);
  document.body.append(notice);
}

const fetchAsIs = globalThis.fetch;

/**
 * What the first request was answered that came with a credential; null where it was not answered.
 * @type {Map<string, Promise<Response | null>>}
 */
const firsts = new Map();

/**
 * Asks the service. Each tab of the IDE loads the schema, some times over, and the service counts wrong keys: so with one that was refused it is
 * asked once.
 * @param {Request} request
 */
async function ask(request) {
  const who = request.headers.get('authorization') ?? '';
  const known = firsts.get(who);
  if (known !== undefined) {
    const first = await known;
    return first?.status === 401 ? first.clone() : fetchAsIs(request);
  }
  const answer = fetchAsIs(request);
  firsts.set(
    who,
    answer.then(
      (response) => response.clone(),
      () => null,
    ),
  );
  return answer;
}

/** @type {typeof fetch} */
globalThis.fetch = async (input, init) => {
  const request = new Request(input, init);
  if (request.url !== ENDPOINT) return fetchAsIs(request);
  if (request.headers.get('authorization') === UNSET) request.headers.set('authorization', authorization());
  const response = await ask(request);
  if (response.status === 401) tell('The service does not know who asks.', { signIn: true });
  return response;
};

globalThis.WebSocket = class extends WebSocket {
  /**
   * @param {string | URL} url
   * @param {string | string[]} [protocols]
   */
  constructor(url, protocols) {
    super(url, protocols);
    this.addEventListener('close', ({ code, reason }) => {
      if (CLOSED_WELL.has(code)) return;
      const why = reason === '' ? 'The connection was cut.' : reason;
      tell(`The subscription ended: ${why} (${code})`, { signIn: code === 4401 || code === 4403 });
    });
    this.addEventListener('message', ({ data }) => {
      const { type, payload } = messageOf(String(data));
      if (type === 'error')
        tell(payload.map(({ message, extensions }) => `${message} (${extensions?.code ?? type})`).join(' '));
    });
  }

  /** @param {Parameters<WebSocket['send']>[0]} data */
  send(data) {
    const begins = typeof data === 'string' && messageOf(data).type === 'connection_init';
    super.send(begins ? data.replace(JSON.stringify(UNSET), () => JSON.stringify(authorization())) : data);
  }
};

/**
 * A message of graphql-transport-ws.
 * @param {string} text
 */
function messageOf(text) {
  return /** @type {{ type: string, payload: { message: string, extensions?: { code?: string } }[] }} */ (
    JSON.parse(text)
  );
}

/** @type {Element | null} */
let shown = null;
new MutationObserver(() => {
  const active = document.querySelector('.window-switcher__item--active');
  if (active === shown) return;
  shown = active;
  active?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
}).observe(document, { subtree: true, childList: true, attributes: true, attributeFilter: ['class'] });
