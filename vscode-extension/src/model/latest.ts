/** Asks for the newest value, one question at a time. */

export class Latest<Value> {
  private asking: Promise<void> | undefined;
  private again = false;

  /** `failed` is told instead of `came` when asking throws. */
  constructor(
    private readonly ask: () => Promise<Value>,
    private readonly came: (value: Value) => void,
    private readonly failed: (problem: unknown) => void,
  ) {}

  /** Returns once an answer came to a question that was asked after this call. */
  refresh(): Promise<void> {
    if (this.asking !== undefined) {
      this.again = true;
      return this.asking;
    }
    this.asking = this.loop().finally(() => {
      this.asking = undefined;
    });
    return this.asking;
  }

  private async loop(): Promise<void> {
    do {
      this.again = false;
      try {
        this.came(await this.ask());
      } catch (problem) {
        this.failed(problem);
      }
    } while (this.again);
  }
}
