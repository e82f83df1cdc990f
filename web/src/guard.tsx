import { Component, type ComponentChildren } from 'preact';

/** One part that cannot be drawn must not take the verdict with it. */
export class Guard extends Component<
  { name: string; children: ComponentChildren },
  { fault: string | null }
> {
  override state = { fault: null };

  static override getDerivedStateFromError(error: unknown) {
    return { fault: error instanceof Error ? error.message : String(error) };
  }

  override componentDidCatch(error: unknown) {
    console.error(error);
  }

  override render() {
    if (this.state.fault === null) return this.props.children;
    return (
      <p class="absent">
        {this.props.name} could not be shown ({this.state.fault}). The JSON report holds its numbers.
      </p>
    );
  }
}
