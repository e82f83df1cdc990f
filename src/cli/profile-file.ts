import { CollapseAwareError } from '../errors.ts';
import { openSource } from '../formats/index.ts';
import { PROFILE_SCHEMA, type Profile, ProfileReader, profileLines } from '../space/index.ts';
import { AtomicFile } from '../store/index.ts';

export async function writeProfile(path: string, profile: Profile, signal?: AbortSignal): Promise<void> {
  const file = await AtomicFile.open(path, { signal });
  try {
    for (const line of profileLines(profile)) await file.write(`${line}\n`);
    await file.commit();
  } catch (error) {
    await file.abort();
    throw error;
  }
}

export async function isProfile(path: string): Promise<boolean> {
  if (path === '-') return false;
  try {
    const { text } = await (await openSource(path)).head();
    return text.slice(0, 200).includes(`"${PROFILE_SCHEMA}"`);
  } catch {
    return false;
  }
}

export async function readProfile(path: string): Promise<Profile> {
  const source = await openSource(path);
  let reader: ProfileReader | null = null;
  let last = 0;
  for await (const { number, text } of source.lines()) {
    last = number;
    if (text.trim() === '') continue;
    if (reader === null) reader = new ProfileReader(text, number, path);
    else reader.line(text, number);
  }
  if (reader === null)
    throw new CollapseAwareError('CA_FORMAT_INVALID', 'the profile is empty', { place: { file: path } });
  return reader.end(last);
}
