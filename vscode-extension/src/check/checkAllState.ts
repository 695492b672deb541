import { Emitter } from "../util/emitter";

export interface AllRow {
  key: string;
  name: string;
  icon: string;
  text: string;
}

export interface AllRun {
  notebook: string;
  title: string;
  rows: AllRow[];
  /** The last record before this run: what older ones say of a cell is not part of it. */
  after: number;
}

/** The last “Check all”: which cells it went through, and what is said of those that have no verdict of their own. */
export class CheckAllState {
  private run: AllRun | undefined;
  private readonly changed = new Emitter<void>();
  readonly onDidChange = this.changed.event;

  get current(): AllRun | undefined {
    return this.run;
  }

  set(run: AllRun | undefined): void {
    this.run = run;
    this.changed.fire();
  }

  update(key: string, icon: string, text: string): void {
    if (this.run) {
      const rows = this.run.rows.map((row) => (row.key === key ? { ...row, icon, text } : row));
      this.set({ ...this.run, rows });
    }
  }
}
