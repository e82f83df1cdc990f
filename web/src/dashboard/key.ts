const STORED = 'collapse-aware-admin-key';
const OPERATOR = 'collapse-aware-operator';
const IN_ADDRESS = '#key=';

/**
 * The admin key of this tab: from the address (`#key=...`, which no server is ever sent), else as it was kept. The
 * address is cleaned at once, so that no bookmark, screenshot or history holds the key.
 */
export function takeKey(): string | null {
  if (location.hash.startsWith(IN_ADDRESS)) {
    const raw = location.hash.slice(IN_ADDRESS.length);
    history.replaceState(null, '', location.pathname + location.search);
    const key = decoded(raw).trim();
    if (key !== '') keepKey(key);
    return key === '' ? read(STORED) : key;
  }
  return read(STORED);
}

/** For this tab and no longer. */
export function keepKey(key: string): void {
  write(STORED, key);
}

export function forgetKey(): void {
  try {
    sessionStorage.removeItem(STORED);
  } catch {
    // Nothing was kept.
  }
}

/** Who sets the breaker by hand: goes into the record beside the reason. */
export function operatorName(): string {
  return read(OPERATOR) ?? '';
}

export function keepOperatorName(name: string): void {
  write(OPERATOR, name);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function read(name: string): string | null {
  try {
    return sessionStorage.getItem(name);
  } catch {
    return null;
  }
}

function write(name: string, value: string): void {
  try {
    sessionStorage.setItem(name, value);
  } catch {
    // Without storage the choice lasts as long as the page.
  }
}
