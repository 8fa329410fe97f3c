CREATE TABLE "backup_schedules" (
	"project_id" uuid PRIMARY KEY NOT NULL,
	"is_active" boolean NOT NULL,
	"hour" integer NOT NULL,
	"keep" integer NOT NULL,
	"entities" text[] NOT NULL,
	"zone_hours" integer NOT NULL,
	"zone_name" text,
	"done_for" text
);
--> statement-breakpoint
CREATE TABLE "backups" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"project_id" uuid NOT NULL,
	"name" text NOT NULL,
	"entities" text[] NOT NULL,
	"state" text DEFAULT 'making' NOT NULL,
	"bytes" bigint DEFAULT 0 NOT NULL,
	"checksum" text,
	"product_version" text NOT NULL,
	"is_scheduled" boolean DEFAULT false NOT NULL,
	"created_by" uuid,
	"created_by_name" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "backup_schedules" ADD CONSTRAINT "backup_schedules_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "backups" ADD CONSTRAINT "backups_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "backups_project" ON "backups" USING btree ("project_id","created_at");