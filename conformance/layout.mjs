const WIDTH = 110;

/** JSON for people: what fits a line stands on one, lists are filled, everything else has a line of its own. */
export function layout(value, indent = '') {
  const inline = onOneLine(value);
  if (indent.length + inline.length <= WIDTH || value === null || typeof value !== 'object') return inline;
  const inner = `${indent}  `;
  if (!Array.isArray(value)) {
    const lines = Object.entries(value).map(([key, item]) => {
      const name = `${plain(key)}: `;
      const short = onOneLine(item);
      const fits = inner.length + name.length + short.length < WIDTH;
      return `${inner}${name}${fits ? short : layout(item, inner)}`;
    });
    return `{\n${lines.join(',\n')}\n${indent}}`;
  }
  if (value.some((item) => item !== null && typeof item === 'object' && !Array.isArray(item)))
    return `[\n${value.map((item) => inner + layout(item, inner)).join(',\n')}\n${indent}]`;
  const lines = [''];
  for (const item of value) {
    const short = layout(item, inner);
    const last = lines[lines.length - 1];
    if (last === '') lines[lines.length - 1] = inner + short;
    else if (last.length + short.length + 3 <= WIDTH) lines[lines.length - 1] = `${last}, ${short}`;
    else {
      lines[lines.length - 1] = `${last},`;
      lines.push(inner + short);
    }
  }
  return `[\n${lines.join('\n')}\n${indent}]`;
}

function onOneLine(value) {
  if (Array.isArray(value)) return `[${value.map(onOneLine).join(', ')}]`;
  if (value === null || typeof value !== 'object') return plain(value);
  const items = Object.entries(value).map(([key, item]) => `${plain(key)}: ${onOneLine(item)}`);
  return `{${items.join(', ')}}`;
}

/** ASCII only: accents that could be composed or not, and spaces that look alike, must survive every editor. */
function plain(value) {
  return JSON.stringify(value).replace(
    /[\u0080-\uffff]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
