// Stands for curl where a machine has none: the options that the pages use.
import { createWriteStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import process from 'node:process';

const headers = {};
let [method, body, url, after, into] = [null, null, null, '', null];
const args = process.argv
  .slice(2)
  .flatMap((arg) => (/^-[sSNi]{2,}$/.test(arg) ? [...arg.slice(1)].map((one) => `-${one}`) : [arg]));
for (let at = 0; at < args.length; at++) {
  const arg = args[at];
  if (arg === '-H') {
    const [name, ...value] = args[++at].split(':');
    headers[name.trim()] = value.join(':').trim();
  } else if (arg === '-d') {
    const given = args[++at];
    body = given.startsWith('@') ? await readFile(given.slice(1), 'utf8') : given;
  } else if (arg === '-X') method = args[++at];
  else if (arg === '-w') after = args[++at];
  else if (arg === '-o') into = args[++at];
  else if (/^-[sSNi]$/.test(arg)) continue;
  else if (/^https?:/.test(arg)) url = arg;
  else throw new Error(`curl.mjs does not know ${arg}`);
}
if (body !== null && !Object.keys(headers).some((name) => /^content-type$/i.test(name)))
  headers['content-type'] = 'application/x-www-form-urlencoded';
const answer = await fetch(url, {
  method: method ?? (body === null ? 'GET' : 'POST'),
  headers,
  ...(body === null ? {} : { body }),
});
const to = into === null ? process.stdout : createWriteStream(into);
for await (const piece of answer.body ?? []) to.write(piece);
process.stdout.write(after.replaceAll('\\n', '\n').replace('%{http_code}', String(answer.status)));
