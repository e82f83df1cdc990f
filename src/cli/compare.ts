import { Command } from 'commander';
export function compareCommand(): Command {
  return new Command('compare');
}
