CREATE TABLE "project_settings" (
	"project_id" uuid NOT NULL,
	"block" text NOT NULL,
	"value" jsonb NOT NULL,
	"secret_cipher" text,
	"logo_file" uuid,
	CONSTRAINT "project_settings_project_id_block_pk" PRIMARY KEY("project_id","block")
);
--> statement-breakpoint
ALTER TABLE "project_settings" ADD CONSTRAINT "project_settings_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;