CREATE TABLE "project_wallets" (
	"project_id" uuid PRIMARY KEY NOT NULL,
	"certificate_cipher" text,
	"certificate" jsonb,
	"look" jsonb NOT NULL
);
--> statement-breakpoint
ALTER TABLE "project_wallets" ADD CONSTRAINT "project_wallets_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;