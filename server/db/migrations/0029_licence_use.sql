CREATE TABLE "licence_use" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"project_id" uuid NOT NULL,
	"group_id" uuid,
	"day" date NOT NULL,
	"seats" jsonb NOT NULL
);
--> statement-breakpoint
ALTER TABLE "licence_use" ADD CONSTRAINT "licence_use_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "licence_use" ADD CONSTRAINT "licence_use_group_id_groups_id_fk" FOREIGN KEY ("group_id") REFERENCES "public"."groups"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "licence_use_day" ON "licence_use" USING btree ("project_id",coalesce("group_id", "project_id"),"day");--> statement-breakpoint
CREATE INDEX "licence_use_group" ON "licence_use" USING btree ("group_id");