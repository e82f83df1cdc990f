/** One event of a stream. A payload that holds line breaks takes several `data:` lines, which a reader joins again. */
export function eventText(payload: string): string {
  return payload.includes('\n')
    ? `${payload
        .split('\n')
        .map((line) => `data: ${line}`)
        .join('\n')}\n\n`
    : `data: ${payload}\n\n`;
}

export const END_OF_STREAM = 'data: [DONE]\n\n';
